export { keepAnswer, readAnswer, type AnswerRecord, type KeptBlock } from './answers/index.js'
export {
  Baselines, ChangedOnDisk, listRunIds, readRun, sha256, type FileState, type RunRecord,
} from './journal/index.js'
export {
  changedAt, changesOfSession, createRunId, fileChanges, findAnswer, findDeadRun, findRunId, ForeignLinks, listRuns,
  makeCommit, readHistory, recover, redo, requireTrusted, rootAbove, runGitHoldingFilters, RunTransaction, sessionOfRun,
  summarize, SummaryWriter, toldOfForeignLinks, undo, pathsOf, undoRuns, unitName, unitsOf, unitsTakenBack,
  verifyJournal, type ChosenAnswer, type CommitCall, type JournalVerification, type ListedRun, type PathReason,
  type RecoverOutcome, type Reversal, type RunSummary, type SessionChanges, type SummaryPlaces, type TransactionOutcome,
  type UndoOptions, type UndoOutcome, type UnitRuns, type UnitUndone, type VerifiedRun,
} from './transaction/index.js'
export * from './history/index.js'
