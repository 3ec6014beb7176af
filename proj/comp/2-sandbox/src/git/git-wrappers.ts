import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfinedProgram } from '../../../0-contracts/src/index.js'

/** Variables that git gives its hooks and filters, and those by which users tell usual hooks what to leave out. */
const PASSED = [
  'GIT_AUTHOR_DATE',
  'GIT_AUTHOR_EMAIL',
  'GIT_AUTHOR_NAME',
  'GIT_COMMITTER_DATE',
  'GIT_DIR',
  'GIT_EDITOR',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_REFLOG_ACTION',
  'GIT_WORK_TREE',
  'HERMES_RUN',
  'HUSKY',
  'PRE_COMMIT_HOME',
  'SKIP',
]
/** First descriptor of the texts a sandbox reads; the one before it is its report. */
const FIRST_INPUT = 4

/**
 * Lines of a shell that start programs in a sandbox, with what git tells its hooks and filters.
 *
 * @param program `env`, confined, without arguments
 * @param directory gets files with what the sandbox reads
 * @returns the line for the words of a program
 */
export function confinedLine(program: ConfinedProgram, directory: string): (words: string) => string {
  const inputs = (program.inputs ?? []).map((text, index) => {
    const path = join(directory, `input-${index}`)
    writeFileSync(path, text, { mode: 0o600 })
    return `${FIRST_INPUT + index}<${quoted(path)}`
  })
  const outer = Object.entries(program.env).map(([name, value]) => quoted(`${name}=${value}`))
  const start = [
    '/usr/bin/env', '-i', '${HERMES_RUN+HERMES_RUN="$HERMES_RUN"}', ...outer, quoted(program.file),
    ...program.args.map(quoted),
  ]
  const given = PASSED.map(name => `\${${name}+${name}="$${name}"}`)
  const report = inputs.length > 0 ? [`${FIRST_INPUT - 1}>/dev/null`] : []
  return words => [...start, ...given, words, ...report, ...inputs].join(' ')
}

/** A program of these lines. */
export function writeScript(path: string, lines: string): void {
  writeFileSync(path, `#!/bin/sh\n${lines}\n`, { mode: 0o700 })
  chmodSync(path, 0o700)
}

/** One word of a shell. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
