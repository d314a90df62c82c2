package main

import (
	"context"
	"net/http"
)

// A story is a video of the demo.
type story struct {
	name, description string
	shots             []shot
	cut               [2]int // of the first clip, in ms
	chapters          []fields
	tags              []string
	comment           string
	export            bool
}

// A shot is a recording of a story: its picture, and its sound where nothing is said, in FFmpeg's words.
type shot struct {
	name           string
	seconds        int
	picture, sound string
	says           []line
}

func stories() []story {
	chapter := func(at float64, title string) fields {
		return fields{"timestampSeconds": at, "title": title}
	}

	return []story{{
		name: "Product tour", description: "Two clips, a cut, chapters, and an export in the works.",
		shots: []shot{
			{"Screen", 12, "testsrc2=size=1280x720:rate=30", "sine=frequency=330", []line{
				{500, "Hello, and welcome to the product tour."}, {4_200, "Let me see where that is."},
				{6_600, "Here it is. You record, you cut, and you share."},
			}},
			{"Outro", 5, "smptehdbars=size=1280x720:rate=30", "sine=frequency=440", []line{
				{500, "Thank you for watching. Goodbye."},
			}},
		},
		cut:      [2]int{4000, 6000},
		chapters: []fields{chapter(0, "Hello"), chapter(3, "What it does"), chapter(10, "Goodbye")},
		tags:     []string{"Product", "Onboarding"}, comment: "The cut at four seconds could be shorter.", export: true,
	}, {
		name: "Weekly update", description: "One clip with two chapters.",
		shots: []shot{{
			"Board", 9, "life=size=160x90:rate=15:mold=10:ratio=0.2:random_seed=7:death_color=#C83232:life_color=#30C060," +
				"scale=1280:720:flags=neighbor",
			"aevalsrc=exprs='0.2*sin(2*PI*220*t)*(0.5+0.5*sin(2*PI*t))'",
			[]line{{500, "This week, exports became faster."}, {5_200, "Next week, we look at webhooks."}},
		}},
		chapters: []fields{chapter(0, "Done"), chapter(5, "Next")}, tags: []string{"Team"},
		comment: "Thank you!",
	}, {
		name: "Bug report", description: "A short recording that needs nothing.",
		shots: []shot{{
			"Recording", 6, "rgbtestsrc=size=640x360:rate=30", "anoisesrc=color=brown:amplitude=0.1:seed=7",
			[]line{{2_000, "When I press save, nothing happens."}},
		}},
		cut: [2]int{1000, 1500}, tags: []string{"Product"},
	}}
}

// found is what is there already, by name.
type found struct {
	videos, tags map[string]string
	told         map[string]bool // videos that are complete
	playlists    map[string]string
	endpoints    int
}

const foundQuery = `{
  videos(first: 100) { nodes { id name description } }
  tags(first: 100) { nodes { id name } }
  playlists(visibility: ORG, first: 100) { nodes { id name } }
  webhookEndpoints { totalCount }
}`

func (g *guide) look(ctx context.Context) (found, error) {
	type named struct{ ID, Name, Description string }

	var seen struct {
		Videos, Playlists, Tags struct{ Nodes []named }
		WebhookEndpoints        struct{ TotalCount int }
	}

	if err := g.graph(ctx, foundQuery, nil, &seen); err != nil {
		return found{}, err
	}

	f := found{
		videos: map[string]string{}, tags: map[string]string{}, told: map[string]bool{}, playlists: map[string]string{},
		endpoints: seen.WebhookEndpoints.TotalCount,
	}

	for _, v := range seen.Videos.Nodes {
		f.videos[v.Name], f.told[v.Name] = v.ID, v.Description != ""
	}

	for _, t := range seen.Tags.Nodes {
		f.tags[t.Name] = t.ID
	}

	for _, p := range seen.Playlists.Nodes {
		f.playlists[p.Name] = p.ID
	}

	return f, nil
}

// tell makes what is missing of the demo. reachable says whether events may be sent to an address.
func (g *guide) tell(ctx context.Context, reachable func(string) error) error {
	f, err := g.look(ctx)
	if err != nil {
		return err
	}

	for _, s := range stories() {
		if f.told[s.name] {
			continue
		}

		if err := g.film(ctx, s, f); err != nil {
			return err
		}
	}

	if f.endpoints > 0 {
		return nil
	}

	return g.hook(ctx, reachable)
}

// film makes a video. Its description is written last and says that it is complete; what is left of an
// attempt that was interrupted is thrown away.
func (g *guide) film(ctx context.Context, s story, f found) error {
	if begun, was := f.videos[s.name]; was {
		if err := g.ask(ctx, http.MethodDelete, "/v1/videos/"+begun, nil, nil); err != nil {
			return err
		}
	}

	id, clips, err := g.clips(ctx, s)
	if err != nil {
		return err
	}

	for i, said := range s.shots {
		if err := g.transcribe(ctx, clips[i], said); err != nil {
			return err
		}
	}

	path := "/v1/videos/" + id

	if s.cut[1] > 0 {
		cut := fields{"cuts": []any{map[string]int{"fromMs": s.cut[0], "toMs": s.cut[1]}}}
		if err := g.ask(ctx, http.MethodPost, path+"/clips/"+clips[0]+"/cut", cut, nil); err != nil {
			return err
		}
	}

	if s.chapters != nil {
		if err := g.ask(ctx, http.MethodPut, path+"/chapters", fields{"chapters": s.chapters}, nil); err != nil {
			return err
		}
	}

	if err := g.file(ctx, id, s, f); err != nil {
		return err
	}

	if s.export {
		if err := g.ask(ctx, http.MethodPost, path+"/exports", nil, nil); err != nil {
			return err
		}
	}

	return g.ask(ctx, http.MethodPatch, path, fields{"description": s.description, "downloadsEnabled": true}, nil)
}

// clips makes a video of its recordings, and returns it with its clips.
func (g *guide) clips(ctx context.Context, s story) (id string, clips []string, err error) {
	var made struct {
		Video struct {
			ID      string
			ClipIDs []string
		}
		Clip struct{ ID string }
	}

	for i, shot := range s.shots {
		source, err := g.record(ctx, shot)
		if err != nil {
			return "", nil, err
		}

		if i == 0 {
			err = g.ask(ctx, http.MethodPost, "/v1/videos", fields{"sourceId": source, "name": s.name}, &made)
			clips = made.Video.ClipIDs
		} else {
			err = g.ask(ctx, http.MethodPost, "/v1/videos/"+made.Video.ID+"/clips", fields{"sourceId": source, "name": shot.name}, &made)
			clips = append(clips, made.Clip.ID)
		}

		if err != nil {
			return "", nil, err
		}
	}

	return made.Video.ID, clips, nil
}

// file puts a video into the playlist, tags it, and comments on it.
func (g *guide) file(ctx context.Context, id string, s story, f found) error {
	const list = "Start here"

	if f.playlists[list] == "" {
		var made struct{ Playlist struct{ ID string } }
		if err := g.ask(ctx, http.MethodPost, "/v1/playlists", fields{"name": list, "visibility": "org", "emoji": "👋"}, &made); err != nil {
			return err
		}

		f.playlists[list] = made.Playlist.ID
	}

	if err := g.ask(ctx, http.MethodPost, "/v1/playlists/"+f.playlists[list]+"/videos", fields{"videoId": id}, nil); err != nil {
		return err
	}

	for _, name := range s.tags {
		if f.tags[name] == "" {
			var made struct{ Tag struct{ ID string } }
			if err := g.ask(ctx, http.MethodPost, "/v1/tags", title{name}, &made); err != nil {
				return err
			}

			f.tags[name] = made.Tag.ID
		}

		if err := g.ask(ctx, http.MethodPost, "/v1/videos/"+id+"/tags", fields{"tagId": f.tags[name]}, nil); err != nil {
			return err
		}
	}

	if s.comment == "" {
		return nil
	}

	var made struct{}

	return g.graph(ctx, `mutation ($v: ID!, $in: AddCommentInput!) { addComment(videoId: $v, input: $in) { comment { id } } }`,
		fields{"v": id, "in": fields{"body": s.comment, "atSeconds": 1}}, &made)
}

// hook registers an endpoint, the one of reelgraph listen where that may be reached, and sends it a sample.
func (g *guide) hook(ctx context.Context, reachable func(string) error) error {
	to := "http://127.0.0.1:9000/"
	if reachable(to) != nil {
		to = "https://hooks.example/reelgraph" // nobody's, so that there are attempts that failed
	}

	var made struct{ ID string }

	wanted := fields{"url": to, "filterTypes": []string{"export.ready", "export.failed"}}
	if err := g.ask(ctx, http.MethodPost, "/v1/webhooks/endpoints", wanted, &made); err != nil {
		return err
	}

	return g.ask(ctx, http.MethodPost, "/v1/webhooks/endpoints/"+made.ID+"/test", fields{"type": "export.ready"}, nil)
}
