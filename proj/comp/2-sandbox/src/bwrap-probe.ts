import { valueAt } from '../../0-text/src/index.js'
import { problemOf } from './backend.js'
import { bwrapOptions, type BwrapFeatures } from './bwrap-arguments.js'
import { systemMounts } from './system-mounts.js'

const PROBE_MS = 5000

/** Whether bubblewrap works here, and what it can do; `problem` says why not, as the end of a sentence. */
export type BwrapState = { works: true; features: BwrapFeatures } | { works: false; problem: string }

const known = new Map<string, Promise<BwrapState>>()

/** Tried once in a process for each program: it may be there and still not be allowed to make namespaces. */
export function probeBwrap(program: string): Promise<BwrapState> {
  return valueAt(known, program, () => tryFeatures(program))
}

/** With all it may be able to do at first; most often that is the only try. */
async function tryFeatures(program: string): Promise<BwrapState> {
  let problem = ''
  for (const features of [
    { size: true, disableUserns: true }, { size: true, disableUserns: false }, { size: false, disableUserns: false },
  ]) {
    const failure = await problemOf(
      { program, args: bwrapProbe(features), env: {}, timeoutMs: PROBE_MS }, `${program} failed`,
    )
    if (failure === undefined) return { works: true, features }
    problem = failure
  }
  return { works: false, problem }
}

/** The arguments for a first try. @param isEntered it is started in a namespace of networks */
export function bwrapProbe(features: BwrapFeatures, isEntered = false): string[] {
  // Without texts, which need further file descriptors.
  const mounts = [
    ...systemMounts('/', false).filter(mount => mount.kind !== 'text'),
    { kind: 'memory', at: '/tmp', bytes: 2 ** 20 } as const,
  ]
  const { options } = bwrapOptions({ mounts, cwd: '/', network: isEntered, features, env: {}, isEntered })
  return [...options, '--', '/bin/sh', '-c', ':']
}
