import * as v from 'valibot'
import type { SandboxName } from '../../../0-contracts/src/index.js'

/** Which sandbox held the program (contract section 3 'commands'). */
export const SANDBOX = v.pipe(
  v.picklist(['bwrap', 'unshare', 'seatbelt', 'docker', 'singularity', 'ssh', 'none'] satisfies SandboxName[]),
  v.description('What it ran in; none: nothing contained it, with the consent of the user.'),
)
