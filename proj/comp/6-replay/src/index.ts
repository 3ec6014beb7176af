export {
  checkOutputs, checkReplay, decidingSettings, drawToolsets, errorOf, forName, openReplayDirectory, openWorkspace,
  OUTCOMES, ProcessPool, parsedJson, renderReplay, renderReplayMarkdown, REPLAY_DOCUMENT, replayDocument, replayItems,
  replayPlans, replayProgress, ReplayRun, replayRunner, replayTranscript, resumingCommand, RunOutput, serveAsProcess,
  serveAsWorker, serveIfStarted, serveIfWorker, settingsHash, settingsReader, toolsetDraw, transcriptFormat,
  unrunReport, updateRecords, withoutPlaces, unreplayed, withOwnPlaces, workspaceOf, type DecidingSettings,
  type KeptReport, type PathPlan, type ProgressScreen, type Replayed, type ReplayOptions, type ReplayReport,
  type ReplayRunner, type ReplaySetup, type ReplayWorkers, type ResumeSurvey, type RunAgain, type SameTranscript,
  type ToolsetDraw, type ToolsetWish, type TranscriptReport, type UnmadeReason, type Update, type WorkspaceSource,
  type WorkspaceWish,
} from './replay/index.js'
