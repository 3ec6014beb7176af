import { join } from 'node:path'
import type { Cli, CliOutcome } from '../../../test/support/cli.js'
import { type FileTree, readTree, writeTree } from '../../../test/support/file-tree.js'
import type { GoldenCase } from '../../../test/support/goldens.js'

/** What a golden case says about a run; the fences `answer`, `stdout` and `stderr` stand beside it. */
export interface GoldenRun {
  args: string[]
  /** The answer comes by standard input. Default: it is the file `answer.md`. */
  stdin?: boolean
  env?: Record<string, string>
  /** Files in `project` before; the working directory is the one that holds it. */
  before?: FileTree
  exit: number
  /** Files in `project` after; default: as before. */
  after?: FileTree
}

export interface GoldenOutcome extends CliOutcome {
  after: FileTree
}

/** Runs a case in an empty directory. In the outputs that is `<dir>`, times are 0, and escapes are visible. */
export async function runGolden(cli: Cli, golden: GoldenCase, directory: string): Promise<GoldenOutcome> {
  const { args, stdin = false, env = {}, before = {} } = goldenRun(golden)
  const answer = bodyOf(golden, 'answer')
  writeTree(directory, answer === undefined || stdin ? {} : { 'answer.md': `${answer}\n` })
  writeTree(join(directory, 'project'), before)
  const outcome = await cli.run(args, { cwd: directory, env, ...(stdin && { input: `${answer ?? ''}\n` }) })
  const settle = (text: string): string => withoutTimes(text.replaceAll(directory, '<dir>').replaceAll('\u001b', '␛'))
  const after = Object.entries(readTree(join(directory, 'project')))
    .map(([path, content]) => [path, path.startsWith('report.') ? withoutTimes(content) : content] as const)
  const { stdout, stderr, exitCode } = outcome
  return { stdout: settle(stdout), stderr: settle(stderr), exitCode, after: Object.fromEntries(after) }
}

function withoutTimes(text: string): string {
  return text.replace(/(?<= |m)\d+\.\d\d s/g, '0.00 s').replace(/"durationMs": [\d.]+/g, '"durationMs": 0')
    .replace(/"runId": "[^"]+"/g, '"runId": "<run>"')
}

export function goldenRun(golden: GoldenCase): GoldenRun {
  return JSON.parse(bodyOf(golden, 'run') ?? '{}') as GoldenRun
}

/** The body of a fence by the second word of its info string. */
export function bodyOf(golden: GoldenCase, kind: string): string | undefined {
  return golden.fences.find(({ info }) => info.split(' ')[1] === kind)?.body
}
