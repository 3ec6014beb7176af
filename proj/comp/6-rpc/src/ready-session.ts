import type { Hermes, RunQueue, VerbExecutor } from '../../5-executor/src/index.js'
import type { SessionAssets } from './asset-folders.js'
import type { SessionSettings } from './narrow-settings.js'
import type { InitializeParams } from './params.js'
import type { SessionRecording } from './run-recording.js'
import type { ServeOptions } from './serve-options.js'
import type { Slots } from './slots.js'

/** What a client works with after `initialize`. */
export interface ReadySession {
  /** With how files say that answers are read. */
  settings: SessionSettings
  hermes: Hermes
  verbs: VerbExecutor
  /** Made when it is first asked for: validates, and changes nothing. */
  dryRun: () => Hermes
  assets: SessionAssets
  recording: SessionRecording | undefined
  capabilities: NonNullable<InitializeParams['capabilities']>
  log: (line: string) => void
}

/** What all clients of a server share. */
export interface Shared {
  options: ServeOptions
  queue: RunQueue
  slots: Slots
}
