import { join } from 'node:path'
import * as v from 'valibot'
import {
  type ApprovedPath, defineVerb, described, integer, integerBetween, type LanguageServer, text, texts, titled, toolPath,
  type VerbContext,
} from '../../../0-contracts/src/index.js'
import { addTo, clip } from '../../../0-text/src/index.js'
import { checkSignal, pathShower, walk } from '../../../2-files/src/index.js'
import { serverFor, SEVERITIES, withServer, type ServerDiagnostic } from '../../../2-language-servers/src/index.js'
import type { SkippedFile } from '../../../3-code-index/src/index.js'
import { CODE_ANALYSIS } from '../analysis-verb.js'
import { calledPath } from '../called-path.js'
import { orSkip, skippedFile } from '../symbols/or-skip.js'
import { noServer } from './no-server.js'

const VERB = 'diagnostics'
/** Files of a directory that are looked at. */
const MOST_FILES = 100
/** Files that a server is asked about at the same time. */
const AT_ONCE = 10
/** How long one call may take, in milliseconds; a single file gets `call_time` of its server. */
const MOST_MS = 60_000
/** Of a message, in UTF-16 units. */
const LONGEST_MESSAGE = 1000
const MOST_RESULTS = 1000

const problem = titled('Diagnostic', {
  path: text('The file, written as the path given.'),
  line: integer('Where it begins: line from 1.', 1),
  column: integer('Column in UTF-16 units from 1.', 1),
  end_line: integer('Where it ends.', 1),
  end_column: integer('The column behind its last character.', 1),
  severity: described(v.picklist(SEVERITIES), 'How bad it is.'),
  code: v.optional(text('What the server calls this kind of problem.')),
  source: v.optional(text('What found it, e.g. Pyright.')),
  message: text('What is wrong, cut at 1,000 characters.'),
})

/** The problems that language servers find in files. */
export const diagnostics = defineVerb({
  ...CODE_ANALYSIS,
  name: VERB,
  description: 'Problems that the language server of the user finds in a source file, or in the source files below a '
    + 'directory: type errors, unknown names and the like, by file and line.',
  requires: { languageServer: true },
  constraints: [
    'Only in languages with a server in language_servers of the user\'s config.',
    `Of a directory the first ${MOST_FILES} files by path that git does not ignore.`,
  ],
  primary: 'path',
  args: v.strictObject({
    path: v.optional(toolPath('File or directory to look at. Default: the root.'), '.'),
    severity: v.optional(described(v.picklist(SEVERITIES), 'The least that is told: error tells errors alone. Default: '
      + 'warning.'), 'warning'),
    max_results: v.optional(integerBetween('Most problems to return. Default: 100.', 1, MOST_RESULTS), 100),
  }),
  result: v.strictObject({
    diagnostics: described(v.array(problem), 'By path, line and column.'),
    total: v.optional(integer('How many there are, where these are not all.', 1)),
    checked: integer('How many files were looked at.', 0),
    unchecked: v.optional(texts('Files of which nothing is known, since there was no time or no answer; at most 50.')),
    skipped: v.optional(described(v.array(skippedFile), 'What could not be looked at, if anything; at most 50.')),
  }),
  examples: [{ path: 'src/server.py' }, { path: 'src', severity: 'error', max_results: 20 }],
  async handler({ path, severity, max_results }, context) {
    const skipped: SkippedFile[] = []
    const files = await filesAt(path, context, skipped)
    const problems: (ServerDiagnostic & { path: string })[] = []
    const unchecked: string[] = []
    let checked = 0
    const until = performance.now() + MOST_MS
    for (const [server, own] of files) {
      await withServer(VERB, server, context, async (asked) => {
        const isAlone = files.size === 1 && own.length === 1
        const look = async ({ target, shown }: SourceFile): Promise<void> => {
          const left = until - performance.now()
          const ask = async (): Promise<ServerDiagnostic[] | undefined> => (
            left <= 0 ? undefined : asked.diagnostics(target, undefined, Math.min(left, server.callMs))
          )
          const told = isAlone ? await ask() : await orSkip(VERB, shown, (skip) => skipped.push(skip), ask)
          if (told) checked++
          else unchecked.push(shown)
          for (const each of told ?? []) if (isTold(each, severity)) problems.push({ ...each, path: shown })
        }
        for (let first = 0; first < own.length; first += AT_ONCE) {
          checkSignal(context.signal)
          await Promise.all(own.slice(first, first + AT_ONCE).map(look))
        }
      })
    }
    if (unchecked.length > 0) {
      context.advise?.(`Nothing is known of ${unchecked.length} files: call again, or name fewer.`, true)
    }
    problems.sort((a, b) => (a.path === b.path ? a.line - b.line || a.column - b.column : a.path < b.path ? -1 : 1))
    const shown = problems.slice(0, Math.min(max_results, context.limits.maxMatches))
    return {
      diagnostics: shown.map(({ endLine, endColumn, message, ...rest }) => ({
        ...rest, end_line: endLine, end_column: endColumn, message: clip(message, LONGEST_MESSAGE),
      })),
      ...(shown.length < problems.length && { total: problems.length }),
      checked,
      ...(unchecked.length > 0 && { unchecked: unchecked.slice(0, 50) }),
      ...(skipped.length > 0 && { skipped: skipped.slice(0, 50) }),
    }
  },
})

interface SourceFile {
  target: ApprovedPath
  shown: string
}

function isTold({ severity }: ServerDiagnostic, least: ServerDiagnostic['severity']): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least)
}

/** The files to look at, by server. @throws HermesError `NOT_INSTALLED` where none of them has a server */
async function filesAt(
  path: string, context: VerbContext, skipped: SkippedFile[],
): Promise<Map<LanguageServer, SourceFile[]>> {
  const { start, kind } = calledPath(VERB, path, context)
  const files = new Map<LanguageServer, SourceFile[]>()
  const add = (target: ApprovedPath, shown: string): void => {
    const server = serverFor(target, context)
    if (server) addTo(files, server, { target, shown })
  }
  if (kind === 'file') add(start, path)
  else {
    const inForm = pathShower(context)
    const walked = walk(start, context, {
      gitignore: true, dependencies: false,
      onUnreadable: (below, error) => skipped.push({ path: inForm(join(path, below)), reason: error.message }),
    })
    let count = 0
    for await (const { path: target, relative } of walked) {
      if (!serverFor(target, context)) continue
      if (++count > MOST_FILES) {
        context.advise?.(`Only the first ${MOST_FILES} files by path were looked at: name a directory below.`, true)
        break
      }
      add(target, inForm(join(path, relative)))
    }
  }
  if (files.size === 0) throw noServer(VERB, path, context)
  return files
}
