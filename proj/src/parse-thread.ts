/** Entry point of the threads that parse texts for the code index and for passages: `dist/parse-thread.cjs`. */
import { parentPort } from 'node:worker_threads'
import { serveTexts } from '../comp/3-code-index/src/index.js'

if (parentPort) serveTexts(parentPort)
