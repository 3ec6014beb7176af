import { hookCommand, takesPaths, type Hook, type HookCommand } from '../../../2-config/src/index.js'
import type { WrittenFile } from './written-files.js'

/** About how many bytes of names one command line takes: well below what systems allow. */
const MOST_BYTES = 96 * 1024

/** One start of a hook. */
export interface HookStart {
  hook: Hook
  command: HookCommand
  files: readonly WrittenFile[]
}

/** What a hook is started for, in its order; none where it has no file. */
export function startsOf(hook: Hook, written: readonly WrittenFile[]): HookStart[] {
  if (hook.on !== 'after_write') return [{ hook, command: hookCommand(hook.run, []), files: [] }]
  const files = written.filter(({ path, shown }) => hook.matches(path, shown))
  return groupsOf(hook, files)
    .map((group) => ({ hook, files: group, command: hookCommand(hook.run, group.map(({ shown }) => shown)) }))
}

function groupsOf({ each, run }: Hook, files: readonly WrittenFile[]): WrittenFile[][] {
  if (each === 'file') return files.map((file) => [file])
  if (!takesPaths(run)) return files.length === 0 ? [] : [[...files]]
  const groups: WrittenFile[][] = []
  let bytes = Infinity
  for (const file of files) {
    const size = Buffer.byteLength(file.shown) + 1
    if (bytes + size > MOST_BYTES) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(file)
    bytes += size
  }
  return groups
}
