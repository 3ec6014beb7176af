import * as v from 'valibot'
import { SANDBOX_ACCESS, type SandboxName } from '../../../0-contracts/src/index.js'

/** Which sandbox held the program (contract section 3 'commands'). */
export const SANDBOX = v.pipe(
  v.picklist(['bwrap', 'unshare', 'seatbelt', 'docker', 'singularity', 'ssh', 'none'] satisfies SandboxName[]),
  v.description('What it ran in; none: nothing contained it, with the consent of the user.'),
)

/** What the user opened to it. */
export const ACCESS = v.optional(v.pipe(
  v.picklist(SANDBOX_ACCESS),
  v.description('What the user opened to this command beyond its sandbox; outside: it ran without one.'),
))
