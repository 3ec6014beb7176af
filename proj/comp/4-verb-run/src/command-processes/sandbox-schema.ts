import * as v from 'valibot'
import { SANDBOX_ACCESS, type ConfinedProgram, type SandboxName } from '../../../0-contracts/src/index.js'

/** Which sandbox held the program. */
export const SANDBOX = v.pipe(
  v.picklist(['bwrap', 'unshare', 'seatbelt', 'docker', 'singularity', 'ssh', 'none'] satisfies SandboxName[]),
  v.description('What it ran in; none: nothing contained it, with the consent of the user.'),
)

/** What the user opened to it. */
export const ACCESS = v.optional(v.pipe(
  v.picklist(SANDBOX_ACCESS),
  v.description('What the user opened to this command beyond its sandbox; outside: it ran without one.'),
))

/** The hosts it could reach, where the user named some. */
export const NETWORK = v.optional(v.pipe(
  v.strictObject({
    hosts: v.pipe(v.array(v.string()), v.description('The only hosts it could reach, as the user named them.')),
    denied: v.optional(v.pipe(v.array(v.string()), v.description('What it asked for besides, in vain.'))),
  }),
  v.description('Only where the user named hosts: then it had no other network.'),
))

/** What a result says of them. */
export function networkData(
  reached: ConfinedProgram['reached'],
): { network?: NonNullable<v.InferOutput<typeof NETWORK>> } {
  if (reached === undefined) return {}
  const { hosts, denied } = reached()
  return { network: { hosts: [...hosts], ...(denied.length > 0 && { denied: [...denied] }) } }
}
