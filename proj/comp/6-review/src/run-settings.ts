import type { HermesOptions } from '../../0-contracts/src/index.js'

/** How the run will be made, for people, where it is not as by default. */
export function runSettings(
  { sandbox, network, atomic, gitCommit, relativePaths, rootAliases, toolsets }: HermesOptions,
): string[] {
  return [
    ...(sandbox === undefined ? [] : [`sandbox: ${sandbox}`]),
    ...(network ? [`commands reach ${typeof network === 'boolean' ? 'the network' : network.join(', ')}`] : []),
    ...(atomic === true ? ['all blocks or none'] : atomic === 'files' ? ['all blocks or none, for files'] : []),
    ...(gitCommit === false ? ['no commit'] : []), ...(relativePaths ? ['relative paths'] : []),
    ...(rootAliases ?? []).map((alias) => `${alias} stands for the root`),
    ...(toolsets ? [`toolsets: ${toolsets.join(', ')}`] : []),
  ]
}
