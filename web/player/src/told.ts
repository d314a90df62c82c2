// The data that the server gives the player; pages/video.go writes it.

export interface Track {
  url: string;
  volume: number;
}

export interface StreamClip {
  main: Track;
  companion?: Track;
  spans: [number, number][];
}

export interface Stream {
  file?: string;
  clips?: StreamClip[];
  progress: number;
}

export interface Told {
  video: string;
  token: string;
  nowMs: number; // when the page was rendered
  stream: Stream;
  streamAt: string;
  durationMs: number;
  rate: number;
  captions: boolean;
  style: { backgroundColor: string; textColor: string; wordLevelHighlights: boolean };
  position: { x: number; y: number };
  transcript?: string;
  storyboard: string;
  chapters: { atMs: number; title: string }[];
  next?: string;
  burnedWords?: boolean;
}
