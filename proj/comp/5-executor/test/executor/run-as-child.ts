import { text } from 'node:stream/consumers'
import { execute, type ExecutorOptions } from '../../src/executor/index.js'

/** A program: runs the answer it reads, `{ answer, options }` as JSON, and prints the result as JSON. */
const { answer, options } = JSON.parse(await text(process.stdin)) as { answer: string; options: ExecutorOptions }
process.stdout.write(JSON.stringify(await execute(answer, options)))
