export { keepAnswer, readAnswer } from './answers/index.js'
export type { AnswerRecord, KeptBlock } from './answers/index.js'
export { Baselines, ChangedOnDisk, listRunIds, readRun, sha256 } from './journal/index.js'
export type { FileState, RunRecord } from './journal/index.js'
export {
  changedAt, changesOfSession, createRunId, fileChanges, findAnswer, findDeadRun, findRunId, ForeignLinks, listRuns,
  makeCommit, readHistory, recover, redo,
  requireTrusted, rootAbove, runGitHoldingFilters, RunTransaction, sessionOfRun, summarize, SummaryWriter,
  toldOfForeignLinks, undo,
  pathsOf, undoRuns, unitName, unitsOf, unitsTakenBack, verifyJournal,
} from './transaction/index.js'
export type {
  ChosenAnswer, CommitCall, JournalVerification, ListedRun, PathReason, RecoverOutcome, Reversal, RunSummary,
  SessionChanges, SummaryPlaces, TransactionOutcome, UndoOptions, UndoOutcome, UnitRuns, UnitUndone, VerifiedRun,
} from './transaction/index.js'
export { notRestored, squash, SQUASH_MODES, squashRequest, stepBack, stepForward } from './history/index.js'
export type { HistoryOptions, SquashOutcome, StepOutcome } from './history/index.js'
