package story

import (
	"context"
	"fmt"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/reelgraph/reelgraph/internal/demo"
)

// A story is a video of the demo. Its times are recording times: the cut is made last.
type story struct {
	Name, description string
	shots             []shot
	look              fields // input of updateVideo
	chapters          []fields
	cut               [2]int // of the first clip, in ms
	tags              []string
	comments          []remark
	export            bool
}

// A shot is a clip of a story: a screen, a person before a camera, or both, and its effects.
type shot struct {
	name     string
	screen   func() demo.Screen // nil: only a camera
	camera   *demo.Look         // nil: only a screen, whose sound is the voice
	lengthMs int                // if there is only a camera
	says     []demo.Line
	look     fields   // input of updateClip
	effects  []effect // in order of creation
}

// A remark is a comment at a playback time of the video, in seconds.
type remark struct {
	at   int
	text string
}

// An effect is the last path segment of the address that creates it, and the request.
type effect struct {
	at   string
	asks fields
}

func chapter(at float64, title string) fields { return fields{"timestampSeconds": at, "title": title} }

func point(x, y float64) fields { return fields{"xPct": x, "yPct": y} }

func gradient(from, to string) fields {
	return fields{"type": "gradient", "gradientAngle": 135, "gradientColor1": from, "gradientColor2": to}
}

// Stories returns the videos of the demo.
func Stories() []story { return []story{productTour(), walkthrough(), billing()} }

func productTour() story {
	looks := demo.Looks()

	return story{
		Name: "Product tour", description: "Two clips, layouts, zooms, captions and a cut, and an export.",
		shots: []shot{{
			name: "Tour", screen: demo.Page, camera: &looks[0], says: []demo.Line{
				{AtMs: 600, Text: "Hi, I am Ada. This is Northwind in half a minute."},
				{AtMs: 4_700, Text: "Um, let me start again."},
				{AtMs: 6_700, Text: "Here is your whole week."},
				{AtMs: 9_000, Text: "Your team shares it, with one gentle reminder a day."},
				{AtMs: 13_600, Text: "Since spring, that saves us five hours a week."},
				{AtMs: 18_300, Text: "Choose a plan, and invite somebody."},
				{AtMs: 23_700, Text: "And you are done."},
			},
			look: fields{"background": gradient("#4338CA", "#0EA5E9"), "borderStyle": "subtle-shadow", "corners": "regular"},
			effects: []effect{
				{"layouts", fields{"layout": fields{"kind": "camera-bubble", "position": "bottom-right"}}},
				{"layouts", fields{"layout": fields{"kind": "camera-only", "style": "fullscreen"}, "startTimeMs": 0, "durationMs": 3_600}},
				{"layouts", fields{"layout": fields{"kind": "side-by-side", "position": "right"}, "startTimeMs": 8_600, "durationMs": 4_300}},
				{"zooms", fields{"type": "manualZoom", "startTimeMs": 13_800, "durationMs": 3_600, "scale": 1.5, "focusPoint": point(72, 48)}},
				{"zooms", fields{"type": "trackingZoom", "startTimeMs": 19_200, "durationMs": 4_600, "scale": 1.8}},
				{"text-overlays", fields{
					"text": "Northwind in half a minute", "startTimeMs": 700, "durationMs": 2_700,
					"point": point(6, 74), "dimensions": fields{"width": 700, "height": 90}, "background": "#1E1B4BE6",
					"backgroundShape": "pill", "fontWeight": 600, "fontSize": 34,
				}},
			},
		}, {
			name: "Goodbye", camera: &looks[0], lengthMs: 4_000, says: []demo.Line{{AtMs: 400, Text: "Thanks for watching. See you on Monday!"}},
			look: fields{"background": gradient("#0EA5E9", "#4338CA"), "transition": "smooth", "corners": "squircle"},
		}},
		look: fields{"subtitlesEnabled": true, "captionsDefaultEnabled": true, "captionPosition": fields{"x": 0.5, "y": 0.9}},
		chapters: []fields{
			chapter(0, "Hello"), chapter(6.6, "One page"), chapter(13.2, "What it saves"), chapter(18.1, "Choose a plan"), chapter(26, "Goodbye"),
		},
		cut:  [2]int{4_500, 6_680},
		tags: []string{"Product", "Onboarding"},
		comments: []remark{
			{12, "The zoom on the figures is lovely."}, {12, "Could we say which spring?"}, {26, "Shared it with the sales team, thank you!"},
		},
		export: true,
	}
}

func walkthrough() story {
	looks := demo.Looks()
	added := point(25, 34)

	return story{
		Name: "Coupons in three lines", description: "A walk through a change of code, with a highlight on the lines that matter.",
		shots: []shot{{
			name: "Editor", screen: demo.Editor, camera: &looks[1], says: []demo.Line{
				{AtMs: 700, Text: "Coupons are missing from the total. Let us add them."},
				{AtMs: 5_200, Text: "If the order has a valid coupon, we take its percent off."},
				{AtMs: 10_600, Text: "Three lines, right before the result."},
				{AtMs: 14_600, Text: "And now the tests."},
				{AtMs: 18_200, Text: "Twelve passed. Ship it!"},
			},
			look: fields{"background": gradient("#0F172A", "#334155"), "borderStyle": "deep-shadow", "corners": "regular"},
			effects: []effect{
				{"layouts", fields{"layout": fields{"kind": "camera-bubble", "position": "bottom-right", "shape": "square"}}},
				{"layouts", fields{"layout": fields{"kind": "tv-presenter", "position": "left"}, "startTimeMs": 0, "durationMs": 3_900}},
				{"zooms", fields{"type": "manualZoom", "startTimeMs": 4_300, "durationMs": 5_700, "scale": 1.7, "focusPoint": point(45, 38)}},
				{"zooms", fields{"type": "trackingZoom", "startTimeMs": 14_400, "durationMs": 6_000, "scale": 1.4}},
				{"highlights", fields{
					"startTimeMs": 10_400, "durationMs": 3_200, "point": added, "dimensions": fields{"widthPct": 46, "heightPct": 13},
				}},
			},
		}},
		look:     fields{"captionsDefaultEnabled": true},
		chapters: []fields{chapter(0, "What is missing"), chapter(4.4, "The change"), chapter(14.4, "The tests")},
		tags:     []string{"Engineering"},
		comments: []remark{{6, "What if the coupon is worth more than the order?"}, {7, "Valid refuses those, see coupon.go."}},
	}
}

func billing() story {
	card := fields{
		"startTimeMs": demo.FormCardMs - 300, "durationMs": 13_400,
		"point": point(100*demo.FormCardX/demo.ScreenWidth, 100*demo.FormCardY/demo.ScreenHeight),
		"dimensions": fields{
			"widthPct": 100.0 * demo.FormCardWidth / demo.ScreenWidth, "heightPct": 100.0 * demo.FormCardHeight / demo.ScreenHeight,
		},
	}

	return story{
		Name: "How to change billing details", description: "A screen alone: zooms follow the clicks, and the card number is blurred.",
		shots: []shot{{
			name: "Form", screen: demo.Form, says: []demo.Line{
				{AtMs: 300, Text: "Here is how to change your billing details."},
				{AtMs: 4_300, Text: "Fill in who pays, and where we send invoices."},
				{AtMs: 8_800, Text: "Your card number stays between us."},
				{AtMs: 13_000, Text: "Choose your country,"},
				{AtMs: 16_600, Text: "and save. That is all."},
			},
			look: fields{"background": gradient("#F59E0B", "#DB2777"), "borderStyle": "subtle-shadow", "corners": "squircle"},
			effects: []effect{
				{"blurs", card},
				{"zooms/auto", fields{"intensity": "medium", "scale": 1.5}},
			},
		}},
		look:     fields{"subtitlesEnabled": true},
		chapters: []fields{chapter(0, "Who pays"), chapter(8.3, "Your card"), chapter(12.8, "Your country")},
		cut:      [2]int{20_000, 22_000},
		tags:     []string{"Support", "Onboarding"},
		comments: []remark{{2, "Sent this to two customers today."}},
	}
}

// found is the existing content, by name.
type found struct {
	videos, tags map[string]string
	told         map[string]bool // complete videos
	playlists    map[string]string
}

const foundQuery = `{
  videos(first: 100) { nodes { id name description } }
  tags(first: 100) { nodes { id name } }
  playlists(visibility: ORG, first: 100) { nodes { id name } }
}`

func (g *Guide) look(ctx context.Context) (found, error) {
	type named struct{ ID, Name, Description string }

	var seen struct {
		Videos, Playlists, Tags struct{ Nodes []named }
	}

	if err := g.graph(ctx, foundQuery, nil, &seen); err != nil {
		return found{}, err
	}

	f := found{
		videos: map[string]string{}, tags: map[string]string{}, told: map[string]bool{}, playlists: map[string]string{},
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

// Tell creates those parts of the demo that do not exist yet.
func (g *Guide) Tell(ctx context.Context) error {
	f, err := g.look(ctx)
	if err != nil {
		return err
	}

	for _, s := range Stories() {
		if f.told[s.Name] {
			continue
		}

		if err := g.film(ctx, s, f); err != nil {
			return err
		}
	}

	return nil
}

// Playlist returns the id of the playlist with all videos.
func (g *Guide) Playlist(ctx context.Context) (string, error) {
	f, err := g.look(ctx)

	return f.playlists[list], err
}

// film creates a video. Its description is written last and marks it as complete; an incomplete video of an
// interrupted attempt is deleted.
func (g *Guide) film(ctx context.Context, s story, f found) error {
	if begun, was := f.videos[s.Name]; was {
		if err := g.ask(ctx, http.MethodDelete, "/v1/videos/"+begun, nil, nil); err != nil {
			return err
		}
	}

	id, clips, err := g.clips(ctx, s)
	if err != nil {
		return err
	}

	path := "/v1/videos/" + id
	asks := []request{{http.MethodPatch, path, s.look}, {http.MethodPut, path + "/chapters", fields{"chapters": s.chapters}}}

	if s.cut[1] > 0 {
		cut := fields{"cuts": []any{map[string]int{"fromMs": s.cut[0], "toMs": s.cut[1]}}}
		asks = append(asks, request{http.MethodPost, path + "/clips/" + clips[0] + "/cut", cut})
	}

	if s.export {
		asks = append(asks, request{http.MethodPost, path + "/exports", nil})
	}

	for _, r := range asks {
		if err := g.ask(ctx, r.method, r.path, r.body, nil); err != nil {
			return err
		}
	}

	if err := g.file(ctx, id, s, f); err != nil {
		return err
	}

	return g.ask(ctx, http.MethodPatch, path, fields{"description": s.description, "downloadsEnabled": true}, nil)
}

// A request is one whose response is ignored.
type request struct {
	method, path string
	body         any
}

// clips creates a video from its recordings, sets up its clips, and returns the ids.
func (g *Guide) clips(ctx context.Context, s story) (id string, clips []string, err error) {
	var made struct {
		Video struct {
			ID      string
			ClipIDs []string
		}
		Clip struct{ ID string }
	}

	for i, shot := range s.shots {
		recorded, speech, err := g.shoot(ctx, shot)
		if err != nil {
			return "", nil, err
		}

		if i == 0 {
			recorded["name"] = s.Name
			err = g.ask(ctx, http.MethodPost, "/v1/videos", recorded, &made)
			clips = made.Video.ClipIDs
		} else {
			recorded["name"] = shot.name
			err = g.ask(ctx, http.MethodPost, "/v1/videos/"+made.Video.ID+"/clips", recorded, &made)
			clips = append(clips, made.Clip.ID)
		}

		if err != nil {
			return "", nil, err
		}

		if err := g.dress(ctx, "/v1/videos/"+made.Video.ID+"/clips/"+clips[i], shot, speech); err != nil {
			return "", nil, err
		}
	}

	return made.Video.ID, clips, nil
}

// dress gives a clip its look, its transcript and its effects.
func (g *Guide) dress(ctx context.Context, path string, s shot, speech demo.Speech) error {
	if err := g.ask(ctx, http.MethodPatch, path, s.look, nil); err != nil {
		return err
	}

	if err := g.transcribe(ctx, path, s.says, speech); err != nil {
		return err
	}

	for _, e := range s.effects {
		if err := g.ask(ctx, http.MethodPost, path+"/"+e.at, e.asks, nil); err != nil {
			return err
		}
	}

	return nil
}

// shoot makes both recordings of a shot concurrently, and returns the input for a clip of them.
func (g *Guide) shoot(ctx context.Context, s shot) (fields, demo.Speech, error) {
	var speech demo.Speech

	if g.speaks {
		var err error
		if speech, err = voice(ctx, g.ffmpeg, s.says); err != nil {
			return nil, speech, err
		}
	}

	var screen, camera string

	recorded, length := fields{}, s.lengthMs
	group, ctx := errgroup.WithContext(ctx)

	if s.screen != nil {
		shown := s.screen()
		length = shown.LengthMs
		recorded["mouseEvents"] = mouseFields(shown.Pointer)

		if s.camera == nil {
			shown.Sound = speech.Sound
		}

		group.Go(func() (err error) {
			screen, err = g.record(ctx, s.name+" (screen).mp4", fields{"role": "screen", "audio": "microphone"}, shown.Film)

			return err
		})
	}

	if s.camera != nil {
		group.Go(func() (err error) {
			camera, err = g.record(ctx, s.name+" (camera).mp4", fields{"role": "camera"}, demo.Presenter(*s.camera, speech, length))

			return err
		})
	}

	if err := group.Wait(); err != nil {
		return nil, speech, err
	}

	recorded["sourceId"] = screen

	switch {
	case screen == "":
		recorded["sourceId"] = camera
	case camera != "":
		recorded["cameraSourceId"] = camera
	}

	return recorded, speech, nil
}

// mouseFields converts pointer positions to the API's form.
func mouseFields(points []demo.Point) []fields {
	all := make([]fields, len(points))

	for i, p := range points {
		kind := "move"
		if p.Click {
			kind = "click"
		}

		x, y := p.Percent()
		all[i] = fields{"timeMs": p.TimeMs, "xPct": min(max(x, 0), 100), "yPct": min(max(y, 0), 100), "type": kind}
	}

	return all
}

// list is the name of the demo's playlist.
const list = "Start here"

// file adds a video to the playlist, and gives it tags and comments.
func (g *Guide) file(ctx context.Context, id string, s story, f found) error {
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

	for _, one := range s.comments {
		var made struct{}

		err := g.graph(ctx, `mutation ($v: ID!, $in: AddCommentInput!) { addComment(videoId: $v, input: $in) { comment { id } } }`,
			fields{"v": id, "in": fields{"body": one.text, "atSeconds": one.at}}, &made)
		if err != nil {
			return fmt.Errorf("comment: %w", err)
		}
	}

	return nil
}
