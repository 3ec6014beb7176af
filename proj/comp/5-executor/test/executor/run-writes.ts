/**
 * Runs an answer with few file descriptors left: `{ answer, options, left }` as JSON from standard input; prints the
 * result as JSON.
 */
import { closeSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { execute, type ExecutorOptions } from '../../src/executor/index.js'

const { answer, options, left } = JSON.parse(await text(process.stdin)) as { answer: string; options: ExecutorOptions; left: number }
const kept: number[] = []
try {
  for (;;) kept.push(openSync('/dev/null', 'r'))
} catch {
  for (const fd of kept.splice(0, left)) closeSync(fd)
}
const result = await execute(answer, options)
for (const fd of kept) closeSync(fd)
process.stdout.write(JSON.stringify(result))
