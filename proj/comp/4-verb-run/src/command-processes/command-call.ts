import type { SandboxName } from '../../../0-contracts/src/index.js'
import type { JudgedText } from './command-reasons.js'

/** A command that is about to run. */
export interface CommandCall extends JudgedText {
  verb: string
  /** As the model wrote it. */
  shown: string
  /** What it is written in, where the verb does not say it. */
  lang?: string | undefined
  /** Absolute. */
  cwd: string
  /** Of a program that runs: what holds it, and so its input. */
  heldBy?: SandboxName
  /** An answer of the user may have opened more to it, and can. */
  mayBeOpened?: true
  /** What else can be wrong with it, to be found out in the sandbox: then nobody is asked. */
  check?: () => Promise<void>
}
