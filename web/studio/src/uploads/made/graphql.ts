/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
export type BorderStyle =
  | 'CUSTOM'
  | 'DEEP_SHADOW'
  | 'NONE'
  | 'SNAKE'
  | 'SOLID_SHADOW_LEFT'
  | 'SOLID_SHADOW_RIGHT'
  | 'SUBTLE_SHADOW'
  | 'TRANSPARENT';

export type CaptionStyleInput = {
  backgroundColor: string;
  name: CaptionStyleName;
  textColor: string;
  wordLevelHighlights: boolean;
};

export type CaptionStyleName =
  | 'BACKDROP';

export type Corners =
  | 'NONE'
  | 'REGULAR'
  | 'SQUIRCLE';

export type CreateSourceInput = {
  audio?: SourceAudio | null | undefined;
  /** How many bytes will be sent. With it, tus clients need not declare the length. */
  bytes?: number | null | undefined;
  clock?: TrackClockInput | null | undefined;
  contentType?: string | null | undefined;
  durationSeconds?: number | null | undefined;
  height?: number | null | undefined;
  kind?: SourceKind | null | undefined;
  name?: string | null | undefined;
  role?: SourceRole | null | undefined;
  /** True when the bytes are sent while recording: their number is not known in advance, and completeSource ends the upload. */
  streaming?: boolean | null | undefined;
  /** A hint. The actual value is read from the file. */
  width?: number | null | undefined;
};

export type CreateVideoInput = {
  /**
   * The domains whose pages may embed the video. example.com includes all its subdomains; *.example.com means only the
   * subdomains. A port may be given; without one, every port is allowed. An empty list allows everybody. Public suffixes
   * such as co.uk are refused. A premium feature.
   */
  allowedEmbedDomains?: Array<string> | null | undefined;
  borderStyle?: BorderStyle | null | undefined;
  /**
   * When the camera started, in milliseconds after the screen, -60,000 to 60,000. If absent, the clocks of the two sources
   * decide if they have the same id; otherwise both start together.
   */
  cameraOffsetMs?: number | null | undefined;
  /** A source of kind video: the camera, recorded at the same time. */
  cameraSourceId?: string | null | undefined;
  captionPosition?: PositionInput | null | undefined;
  captionStyle?: CaptionStyleInput | null | undefined;
  captionsDefaultEnabled?: boolean | null | undefined;
  clipTransition?: VideoTransition | null | undefined;
  commentEmailsEnabled?: boolean | null | undefined;
  commentsEnabled?: boolean | null | undefined;
  corners?: Corners | null | undefined;
  customThumbnailURL?: string | null | undefined;
  defaultPlaybackRate?: number | null | undefined;
  description?: string | null | undefined;
  dimensions?: DimensionsInput | null | undefined;
  downloadsEnabled?: boolean | null | undefined;
  linkScope?: LinkScope | null | undefined;
  /** When the microphone started, in milliseconds after the screen or, without a screen, after the camera. Rules as for cameraOffsetMs. */
  microphoneOffsetMs?: number | null | undefined;
  /** A source of kind audio: the microphone, if it was recorded separately. */
  microphoneSourceId?: string | null | undefined;
  microphoneVolume?: number | null | undefined;
  /** At most 10,000, in ascending order of time. */
  mouseEvents?: Array<MouseEventInput> | null | undefined;
  /** When the pointer data started, in milliseconds after the screen. Rules as for cameraOffsetMs. */
  mouseOffsetMs?: number | null | undefined;
  /** A source of kind mouse: the pointer of the recording. Use this or mouseEvents. */
  mouseSourceId?: string | null | undefined;
  name?: string | null | undefined;
  password?: string | null | undefined;
  publishDateEnabled?: boolean | null | undefined;
  rawDownloadsEnabled?: boolean | null | undefined;
  searchEngineIndexingEnabled?: boolean | null | undefined;
  /** A source of kind video. This and all other sources must be ready unless whenReady is true. */
  sourceId: string;
  studioSound?: boolean | null | undefined;
  subtitlesEnabled?: boolean | null | undefined;
  systemAudioVolume?: number | null | undefined;
  transcriptsEnabled?: boolean | null | undefined;
  viewCountEnabled?: boolean | null | undefined;
  visibility?: Visibility | null | undefined;
  /**
   * Also accepts sources whose bytes are still arriving. The clip has no length until all of them are ready or have failed;
   * failed ones are left out. Until then exports and stills of the video are a conflict. If neither screen nor camera is
   * left, they remain a conflict until the clip is deleted. False if absent.
   */
  whenReady?: boolean | null | undefined;
};

/** Even sides, 128 to 3840. */
export type DimensionsInput = {
  height: number;
  width: number;
};

/**
 * Who may watch the video on its page: everyone with the link (PUBLIC, the default), signed-in members of the workspace
 * (PRIVATE), everyone who knows the password (PASSWORD), or nobody except where it is embedded (EMBEDONLY).
 */
export type LinkScope =
  | 'EMBEDONLY'
  | 'PASSWORD'
  | 'PRIVATE'
  | 'PUBLIC';

/** In recording time. */
export type MouseEventInput = {
  timeMs: number;
  type: MouseEventType;
  /** 0 to 100 percent of the uncropped screen. */
  xPct: number;
  yPct: number;
};

export type MouseEventType =
  | 'CLICK'
  | 'MOVE';

/** Fractions of the frame, 0 to 1. */
export type PositionInput = {
  x: number;
  y: number;
};

export type SourceAudio =
  | 'MICROPHONE'
  | 'SYSTEM';

export type SourceKind =
  | 'AUDIO'
  | 'IMAGE'
  | 'MOUSE'
  | 'VIDEO';

export type SourceRole =
  | 'CAMERA'
  | 'SCREEN';

export type SourceStatus =
  | 'FAILED'
  | 'PENDING'
  | 'PROCESSING'
  | 'READY'
  | 'UPLOADING';

/** When the first frames of a track were captured. This keeps tracks that were recorded together in sync. */
export type TrackClockInput = {
  /** In ascending order, at most 200. For a sound track, the times of its first blocks. */
  captureTimesMs: Array<number>;
  /** The first captured frame that was delivered after the start, counted from 0. */
  firstDeliveredIndex?: number | null | undefined;
  /** At most 64 characters; the same for all tracks of one recording. */
  id: string;
  /** Pauses of the recording, each with its start and end. */
  pausesMs?: Array<Array<number>> | null | undefined;
  /** When the recording started. */
  startedAtMs?: number | null | undefined;
};

export type VideoTransition =
  | 'HARD_CUT'
  | 'SMOOTH';

/**
 * Who in the workspace can find and read the video in the API: every member (ORG, the default), or only its creator and
 * collaborators (PERSONAL). linkScope decides who may watch its page.
 */
export type Visibility =
  | 'ORG'
  | 'PERSONAL';

export type CreateSourceMutationVariables = Exact<{
  input: CreateSourceInput;
}>;


export type CreateSourceMutation = { createSource: { uploadUrl: string, source: { id: string } } };

export type UploadAddressQueryVariables = Exact<{
  id: string;
}>;


export type UploadAddressQuery = { source: { id: string, status: SourceStatus, uploadUrl: string | null, error: { message: string } | null } | null };

export type CreateVideoMutationVariables = Exact<{
  input: CreateVideoInput;
}>;


export type CreateVideoMutation = { createVideo: { video: { id: string, name: string, links: { viewPage: string } } } };

export type AddUploadedVideoMutationVariables = Exact<{
  playlistId: string;
  videoId: string;
}>;


export type AddUploadedVideoMutation = { addPlaylistVideo: { playlist: { id: string, videoCount: number }, video: { id: string, playlistIds: Array<string> } } };

export type DeleteSourceMutationVariables = Exact<{
  id: string;
}>;


export type DeleteSourceMutation = { deleteSource: { deletedId: string } };


export const CreateSourceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSource"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSourceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSource"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"uploadUrl"}}]}}]}}]} as unknown as DocumentNode<CreateSourceMutation, CreateSourceMutationVariables>;
export const UploadAddressDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UploadAddress"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"source"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"uploadUrl"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<UploadAddressQuery, UploadAddressQueryVariables>;
export const CreateVideoDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateVideo"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateVideoInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createVideo"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"video"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"links"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewPage"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CreateVideoMutation, CreateVideoMutationVariables>;
export const AddUploadedVideoDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddUploadedVideo"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"playlistId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"videoId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addPlaylistVideo"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"playlistId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"playlistId"}}},{"kind":"Argument","name":{"kind":"Name","value":"videoId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"videoId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"playlist"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"videoCount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"video"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"playlistIds"}}]}}]}}]}}]} as unknown as DocumentNode<AddUploadedVideoMutation, AddUploadedVideoMutationVariables>;
export const DeleteSourceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteSource"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSource"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedId"}}]}}]}}]} as unknown as DocumentNode<DeleteSourceMutation, DeleteSourceMutationVariables>;