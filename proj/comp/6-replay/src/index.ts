export {
  checkOutputs, checkReplay, decidingSettings, drawToolsets, forName, openReplayDirectory, openWorkspace, OUTCOMES,
  ProcessPool, renderReplay, renderReplayMarkdown, REPLAY_DOCUMENT, replayDocument, replayItems, replayPlans,
  replayProgress, ReplayRun, replayRunner, replayTranscript, resumingCommand, RunOutput, serveAsProcess, serveAsWorker,
  serveIfWorker, settingsHash, settingsReader, toolsetDraw, transcriptFormat, unrunReport, updateRecords,
  withoutPlaces, withOwnPlaces, WorkerPool, workspaceOf,
} from './replay/index.js'
export type {
  DecidingSettings, KeptReport, PathPlan, ProgressScreen, Replayed, ReplayOptions, ReplayReport, ReplayRunner,
  ReplaySetup, ReplayWorkers, ResumeSurvey, RunAgain, SameTranscript, ToolsetDraw, ToolsetWish, TranscriptReport,
  UnmadeReason, Update, WorkspaceSource, WorkspaceWish,
} from './replay/index.js'
