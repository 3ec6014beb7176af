import type { AgentOptions } from './loop-options.js'

/** Option `gitCommit` of a session: only with `run` is each run a commit of its own. */
export function commitsRuns({ autoCommit = 'run', gitCommit }: AgentOptions): boolean | undefined {
  return autoCommit === 'run' ? gitCommit : false
}
