export {
  distrust, distrustProject, endProcesses, endWindowsTree, endWindowsTreeNow, endWorker, findProgram, firstStop,
  furtherPipes, giveInputs, HAS_GROUPS, isInReachOfRuns, isInside, listenInside, locatingPty, LogTail, LONGEST_TIMER_MS,
  MOST_MS, nestedRun, openInBrowser, ownEnvironment, ownProgram, passedOver, PausedClock, POLL_MS, run, runNow,
  sendSignal, start, StartedProgram, startWorker, STATUS_FD, SYSTEM_BIN, trustedEnvironment, trustedPath, whenAborted,
  whenHermesExits, type Exit, type InsideListener, type ProgramRun, type ProgramStart, type Pty, type PtyModule,
  type Stdio, type WorkerProcess,
} from './launcher/index.js'
export {
  environmentOf, identityOfMark, isMarkGone, isRunning, isSeenFromHere, isThisProcess, listPids, mayLive, namespaceOf,
  ownIdentity, PROCESS_IDENTITY, processesIn, processMark, readProcess, usageOf,
} from './identity/index.js'
export type { InNamespaces, LinuxProcess, ProcessIdentity, Usage } from './identity/index.js'
