/** What a thread runs that reads texts for the index of code and for passages: `dist/parse-thread.cjs`. */
import { parentPort } from 'node:worker_threads'
import { serveTexts } from '../comp/3-code-index/src/index.js'

if (parentPort) serveTexts(parentPort)
