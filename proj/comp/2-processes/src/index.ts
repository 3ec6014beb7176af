export {
  distrust, distrustProject, endProcesses, endWindowsTree, endWindowsTreeNow, endWorker, findProgram, firstStop,
  HAS_GROUPS, isInside, locatingPty, LONGEST_TIMER_MS, MOST_MS, nestedRun, openInBrowser, ownEnvironment, ownProgram,
  passedOver, POLL_MS, run, runNow, sendSignal, start, StartedProgram, startWorker, trustedEnvironment, trustedPath,
  whenAborted, whenHermesExits,
} from './launcher/index.js'
export type { Exit, ProgramRun, Pty, PtyModule, WorkerProcess } from './launcher/index.js'
export {
  environmentOf, identityOfMark, isMarkGone, isRunning, isSeenFromHere, isThisProcess, listPids, mayLive, ownIdentity,
  PROCESS_IDENTITY, processMark, readProcess,
} from './identity/index.js'
export type { LinuxProcess, ProcessIdentity } from './identity/index.js'
