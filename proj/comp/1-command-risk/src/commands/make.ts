import type { FollowedShell } from '../shell/followed-shell.js'
import { PRINTED } from '../shell/taint.js'
import type { Call } from './call.js'
import { valuesOf } from './read-options.js'

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

/** Variables, and the recipes of makefiles that the script itself says. */
export function runMake({ args, stdin }: Call, shell: FollowedShell): string {
  const { files } = shell.scope
  for (const arg of args) {
    const [, name, value = ''] = /^(\w+):{0,3}=(.*)$/s.exec(arg) ?? []
    if (name !== undefined) shell.assign(name, value)
  }
  const named = valuesOf(args, '-f', '--file', '--makefile')
  const texts = [
    ...(named.length > 0 ? named : MAKEFILES).map((path) => (path === '-' ? stdin : files.get(path) ?? '')),
    ...valuesOf(args, '--eval', '-E'),
  ]
  for (const text of texts) {
    for (const line of text.split('\n').slice(0, 1000)) {
      const recipe = /^(?:\t|[^#;=]*:[^;=]*;)\s*[@+-]*(.*)$/.exec(line)?.[1]
      if (recipe !== undefined) shell.apart(recipe.replaceAll('$$', '$'), '')
      for (const [, called = ''] of line.matchAll(/\$[({]shell\s([^)}]*)/g)) shell.apart(called, '')
    }
  }
  return PRINTED
}
