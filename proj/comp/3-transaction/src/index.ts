export { keepAnswer, readAnswer } from './answers/index.js'
export type { AnswerRecord, KeptBlock } from './answers/index.js'
export {
  Baselines, ChangedOnDisk, listRunIds, readRun, readSaved, resolveStored, sha256, statesOf,
} from './journal/index.js'
export type { FileState, RunRecord } from './journal/index.js'
export {
  createRunId, findAnswer, findDeadRun, findRunId, ForeignLinks, listRuns, makeCommit, readHistory, recover, redo,
  requireTrusted, rootAbove, runGitHoldingFilters, RunTransaction, summarize, SummaryWriter, toldOfForeignLinks, undo,
  verifyJournal,
} from './transaction/index.js'
export type {
  CommitCall, FoundAnswer, JournalVerification, ListedRun, RecoverOutcome, RunSummary, SummaryPlaces, UndoOptions,
  UndoOutcome, VerifiedRun,
} from './transaction/index.js'
export { notRestored, squash, SQUASH_MODES, squashRequest, stepBack, stepForward } from './history/index.js'
export type { HistoryOptions, SquashOutcome, StepOutcome } from './history/index.js'
