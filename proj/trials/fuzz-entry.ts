/**
 * What the fuzzing trial calls, as one module: each target takes a text, and throws where hermes would break a promise
 * of the contract. `Broken` marks such a promise; any other error is a crash.
 */
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { findDangers } from '../comp/1-command-risk/src/index.js'
import { parsePolicy } from '../comp/2-config/src/config/index.js'
import { HermesError, type ExecutionResult, type ParseOutcome } from '../comp/0-contracts/src/index.js'
import { execute } from '../comp/5-executor/src/executor/index.js'
import { parse, parseChunks, readBareDocument, readBareEnvelope } from '../comp/1-reading/src/parsers/index.js'
import { createPathGate } from '../comp/2-files/src/policy/index.js'
import { renderFeedback, renderMarkdownReport, renderTerminal, wrapLines } from '../comp/1-reports/src/index.js'

export class Broken extends Error {}

export type Target = (text: string) => unknown

function hold(promise: boolean, what: string): asserts promise {
  if (!promise) throw new Broken(what)
}

const UNSAFE = /[^\P{Cc}\t\n]|[\p{Cf}\u2028\u2029]/u
const CODE = /^[A-Z][A-Z0-9_]+$/

/** @param directory an empty one; @returns the targets by name */
export function targets(directory: string): Record<string, Target> {
  const root = prepare(directory)
  const gate = createPathGate({ root, allow: [join(directory, 'allowed')], aliases: ['/workspace'] })
  const bases = [gate.root, ...gate.allow]
  return {
    parse: checkParse,
    envelope: checkEnvelope,
    execute: (text) => checkExecute(text, root),
    gate: (text) => checkGate(text, gate, bases),
    config: checkConfig,
    command: checkCommand,
  }
}

/** A root with links of every kind: inside, outside, dangling, in a circle. */
function prepare(directory: string): string {
  const root = join(directory, 'root')
  for (const path of ['root/src/deep', 'root/.git/hooks', 'root/.hermes/runs', 'root-evil', 'outside', 'allowed/x'])
    mkdirSync(join(directory, path), { recursive: true })
  for (const path of ['root/src/a.ts', 'root/.env', 'root/hermes.yaml', 'root-evil/a', 'outside/secret'])
    writeFileSync(join(directory, path), path)
  const links = [
    ['out', '../outside'],
    ['file', '../outside/secret'],
    ['in', 'src'],
    ['dead', '../nowhere/x'],
    ['loop', 'loop'],
    ['git', '.git'],
    ['abs', join(directory, 'outside')],
    ['up', '..'],
  ]
  for (const [name = '', target = ''] of links) symlinkSync(target, join(root, name))
  return realpathSync(root)
}

function checkParse(text: string): string {
  const outcome = parse(text)
  const lines = text.split('\n').length
  const { blocks, errors, skipped, totalBlocks } = outcome
  hold(totalBlocks >= blocks.length && totalBlocks <= blocks.length + errors.length, 'totals do not add up')
  for (const { startLine, endLine } of [...blocks, ...skipped]) {
    hold(startLine >= 1 && startLine <= endLine && endLine <= lines, `lines ${startLine} to ${endLine} of ${lines}`)
  }
  for (const { params, id } of blocks) {
    hold(id !== '', 'a block without an id')
    for (const value of Object.values(params)) {
      // Indentation of the block's container is taken off each line.
      const isSlice =
        typeof value !== 'string' || value.split('\n').every((line) => text.includes(line)) || text.includes('\\')
      hold(
        isSlice || !/<</.test(text) || !/#!/.test(text) || /hermes|tool_call/.test(text),
        'a heredoc that is not in the text',
      )
    }
  }
  for (const { source, error } of errors) {
    hold(Buffer.byteLength(source) <= 4096, 'a long source')
    hold(CODE.test(error.code) && !/[\n\r]/.test(error.message) && error.message !== '', 'a message of several lines')
    hold(
      error.line >= 1 && error.line <= lines + 1 && error.column >= 1 && error.length >= 0,
      `place ${error.line}:${error.column}`,
    )
  }
  const pieces = text.match(/[^]{1,7}/g) ?? ['']
  hold(JSON.stringify(parseChunks(pieces)) === JSON.stringify(outcome), 'another result in pieces')
  checkReports(outcome)
  return signature(outcome)
}

function checkReports({ errors, skipped, totalBlocks }: ParseOutcome): void {
  const result: ExecutionResult = {
    success: false,
    totalBlocks,
    executedActions: 0,
    results: [],
    parseErrors: errors,
    skipped,
    durationMs: 1,
  }
  for (const report of [renderFeedback(result), renderMarkdownReport(result)]) {
    hold(!UNSAFE.test(report), 'an unsafe character in a report')
    hold(parse(report).blocks.length === 0, 'a report that runs')
  }
  const shown = errors.map((error) => renderTerminal({ type: 'parse-error', error })).join('')
  hold(!UNSAFE.test(wrapLines(shown, 80)), 'an unsafe character at the terminal')
}

function signature({ blocks, errors, skipped }: ParseOutcome): string {
  return [
    ...blocks.map(({ format }) => format),
    ...errors.map(({ error }) => error.code),
    ...skipped.map(({ reason }) => reason),
  ]
    .sort()
    .join()
}

function checkEnvelope(text: string): string {
  const [envelope, document] = [readBareEnvelope(text), readBareDocument(text)]
  for (const read of [envelope, document]) {
    if (!read.ok) hold(read.message !== '' && !/[\n\r]/.test(read.message), 'a message of several lines')
  }
  if (document.ok) {
    const json = JSON.stringify(document.value)
    hold(json === undefined || json.length < 50 * text.length + 1000, 'a value far larger than its text')
  }
  hold(Object.keys(Object.prototype).length === 0 && !('polluted' in {}), 'Object.prototype was changed')
  return `${String(envelope.ok)} ${String(document.ok)}`
}

async function checkExecute(text: string, root: string): Promise<string> {
  const result = await execute(text, {
    root,
    dryRun: true,
    policy: false,
    sandbox: 'none',
    relativePaths: true,
    rootAliases: ['/workspace'],
    gitCommit: false,
  })
  const { results, parseErrors, success, fatalError } = result
  hold(
    success === (results.every((one) => one.success) && parseErrors.length === 0 && fatalError === undefined),
    'success is wrong',
  )
  hold(fatalError === undefined, `fatal: ${fatalError ?? ''}`)
  results.forEach((one, index) => {
    hold(one.seq === index + 1, 'a wrong order')
    hold(one.code !== 'INTERNAL', `internal: ${one.error ?? ''}`)
    hold(
      one.success || (CODE.test(one.code ?? '') && /^[^\n\r]+$/.test(one.error ?? '')),
      'a failure without a code or in several lines',
    )
    const shown = renderTerminal({ type: 'block-end', result: one, changes: [] })
    hold(!UNSAFE.test(shown), 'an unsafe character at the terminal')
  })
  hold(!UNSAFE.test(renderFeedback(result)) && parse(renderFeedback(result)).blocks.length === 0, 'feedback that runs')
  return results
    .map(({ code = 'ok' }) => code)
    .sort()
    .join()
}

const FORBIDDEN = /(?:^|\/)(?:\.git|\.hermes|\.ssh)(?:\/|$)|(?:^|\/)hermes\.yaml$/i

function checkGate(text: string, gate: ReturnType<typeof createPathGate>, bases: readonly string[]): string {
  const codes: string[] = []
  for (const access of ['read', 'write', 'remove', 'list', 'show'] as const) {
    try {
      const path: string = gate.approve(text, access)
      const base = bases.find((one) => path === one || path.startsWith(one + sep))
      hold(base !== undefined, `approved ${path}`)
      hold(!path.includes('\0') && !path.includes(`${sep}..${sep}`) && !path.endsWith(`${sep}..`), `approved ${path}`)
      const below = relative(base, path).split(sep).join('/')
      hold(!FORBIDDEN.test(below) || /^\.hermes\/runs(?:\/|$)/.test(below), `approved ${path}`)
      if (access === 'read' || access === 'write')
        hold(
          bases.some((one) => isBelow(one, realParent(path))),
          `leads outside: ${path}`,
        )
      codes.push('ok')
    } catch (error) {
      if (error instanceof HermesError) hold(!/[\n\r]/.test(error.message), 'a message of several lines')
      else if (!(error instanceof Error && 'code' in error)) throw error
      codes.push((error as { code: string }).code)
    }
  }
  return codes.join()
}

function isBelow(base: string, path: string): boolean {
  return path === base || path.startsWith(base + sep)
}

/** Where what there is of a path leads. */
function realParent(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (dirname(path) === path || (error as { code?: string }).code === 'ENAMETOOLONG') return path
    return realParent(dirname(path))
  }
}

async function checkConfig(text: string): Promise<string> {
  const outcomes: string[] = []
  for (const directory of ['/project', undefined]) {
    try {
      const { values } = await parsePolicy(text, 'hermes.yaml', directory)
      hold(typeof values === 'object' && values !== null, 'a policy that is no object')
      hold(JSON.stringify(values).length < 10 * text.length + 1000, 'a policy far larger than its text')
      if (directory !== undefined) {
        const given: Record<string, unknown> = { ...values }
        hold(
          given['readable'] === undefined && given['terminal'] === undefined,
          "a project that sets what is the user's",
        )
      }
      outcomes.push(Object.keys(values).join())
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      hold(error.code === 'INVALID_POLICY', `code ${error.code}`)
      hold(/^hermes\.yaml:\d+:\d+: /.test(error.message), `no place: ${error.message}`)
      outcomes.push(error.message.replace(/\d+|'[^']*'/g, '').slice(0, 60))
    }
  }
  hold(Object.keys(Object.prototype).length === 0, 'Object.prototype was changed')
  return outcomes.join()
}

function checkCommand(text: string): string {
  const found = [
    ...findDangers({ kind: 'shell', text }),
    ...findDangers({ kind: 'program', words: text.split(/\s+/) }),
    ...(['python', 'javascript', 'ruby', 'powershell'] as const).flatMap((lang) =>
      findDangers({ kind: 'code', lang, text }),
    ),
  ]
  for (const { command } of found)
    hold(command.length <= 201 && !/[\n\r\ue000-\ue01f]/.test(command), 'a wrong excerpt')
  return found.map(({ name }) => name).join()
}

/** A directory for the targets. */
export function fuzzDirectory(parent: string): string {
  return realpathSync(mkdtempSync(join(parent, 'fuzz-')))
}
