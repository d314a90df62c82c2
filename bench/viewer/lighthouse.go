package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/bench/measure"
)

//go:embed lighthouse
var lighthouseFiles embed.FS

const (
	runs      = 3
	scoreGoal = 95
)

// categories are Lighthouse's categories, by its names.
var categories = []string{"performance", "accessibility", "best-practices", "seo"}

// lighthouseVersion returns the pinned version.
func lighthouseVersion() string {
	var pinned struct {
		Dependencies map[string]string `json:"dependencies"`
	}

	content, err := lighthouseFiles.ReadFile("lighthouse/package.json")
	if err != nil || json.Unmarshal(content, &pinned) != nil {
		panic("lighthouse/package.json cannot be read") // the file is embedded
	}

	return pinned.Dependencies["lighthouse"]
}

// scores are Lighthouse's scores of a page in one form, and its complaints.
type scores struct {
	of       map[string]float64 // 0 to 100
	troubles []string
}

// lighthouse measures each page in both forms.
func (b *bench) lighthouse(ctx context.Context) (string, error) {
	folder, err := measure.InstallNPM(ctx, "lighthouse", lighthouseFiles)
	if err != nil {
		return "", err
	}

	var text strings.Builder

	fmt.Fprintf(&text, "| Lighthouse, goal ≥ %d | form | %s | |\n| --- | --- |%s --- |\n", scoreGoal, strings.Join(categories, " | "),
		strings.Repeat(" --- |", len(categories)))

	for _, page := range b.pages() {
		for _, form := range []string{"mobile", "desktop"} {
			all := map[string][]float64{}

			for range runs {
				one, err := b.look(ctx, folder, page[1], form)
				if err != nil { // it must be run again after losing the connection to the browser
					one, err = b.look(ctx, folder, page[1], form)
				}

				if err != nil {
					return "", fmt.Errorf("%s, %s: %w", page[0], form, err)
				}

				for _, category := range categories {
					all[category] = append(all[category], one.of[category])
				}

				fmt.Fprintln(os.Stderr, page[0], form, one.of, strings.Join(one.troubles, "; "))
			}

			fmt.Fprintf(&text, "| %s | %s |", page[0], form)

			met := true

			for _, category := range categories {
				median := measure.Median(all[category])
				met = met && median >= scoreGoal

				fmt.Fprintf(&text, " **%.0f** (%.0f to %.0f) |", median, slices.Min(all[category]), slices.Max(all[category]))
			}

			fmt.Fprintf(&text, " %s |\n", measure.Verdict(met))
		}
	}

	return text.String(), nil
}

// look runs Lighthouse on a page once.
func (b *bench) look(ctx context.Context, folder, page, form string) (scores, error) {
	result := filepath.Join(b.folder, "lighthouse.json")
	args := []string{
		filepath.Join(folder, "node_modules", "lighthouse", "cli", "index.js"), "http://" + b.product.Addr + page, "--quiet",
		"--output=json", "--output-path=" + result, "--only-categories=" + strings.Join(categories, ","),
		"--chrome-flags=" + strings.Join(chromiumFlags(), " "),
	}

	if form == "desktop" {
		args = append(args, "--preset=desktop")
	}

	cmd := exec.CommandContext(ctx, filepath.Join(folder, "node_modules", ".bin", "node"), args...)
	cmd.Env = append(cmd.Environ(), "CHROME_PATH="+chromium())

	if out, err := cmd.CombinedOutput(); err != nil {
		return scores{}, fmt.Errorf("run Lighthouse: %w: %s", err, out)
	}

	content, err := os.ReadFile(result)
	if err != nil {
		return scores{}, fmt.Errorf("read what Lighthouse says: %w", err)
	}

	return judge(content)
}

// judge reads a Lighthouse result.
func judge(content []byte) (scores, error) {
	var result struct {
		Categories map[string]struct {
			Score     *float64 `json:"score"`
			AuditRefs []struct {
				ID     string  `json:"id"`
				Weight float64 `json:"weight"`
			} `json:"auditRefs"`
		} `json:"categories"`
		Audits map[string]struct {
			Score        *float64 `json:"score"`
			DisplayValue string   `json:"displayValue"`
		} `json:"audits"`
	}

	if err := json.Unmarshal(content, &result); err != nil {
		return scores{}, fmt.Errorf("read what Lighthouse says: %w", err)
	}

	s := scores{of: map[string]float64{}}

	for _, name := range categories {
		category := result.Categories[name]
		if category.Score == nil {
			return scores{}, fmt.Errorf("no score for %s", name)
		}

		s.of[name] = 100 * *category.Score

		for _, ref := range category.AuditRefs {
			audit := result.Audits[ref.ID]
			if ref.Weight > 0 && audit.Score != nil && *audit.Score < 1 {
				s.troubles = append(s.troubles, fmt.Sprintf("%s %.2f %s", ref.ID, *audit.Score, audit.DisplayValue))
			}
		}
	}

	return s, nil
}

// chromium returns the browser that both parts use.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}

	return "chromium" // starting it fails with a clear error
}

func chromiumFlags() []string {
	flags := []string{"--headless=new", "--disable-gpu"}
	if os.Geteuid() == 0 {
		flags = append(flags, "--no-sandbox") // Chromium does not start as root with a sandbox
	}

	return flags
}

func browserVersion(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, chromium(), "--version").Output()
	if err != nil {
		return "no Chromium"
	}

	name, _, _ := strings.Cut(strings.TrimSpace(string(out)), " built")

	return name
}
