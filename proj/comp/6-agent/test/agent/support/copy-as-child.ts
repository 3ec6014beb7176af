import { text } from 'node:stream/consumers'
import type { DelegateCall } from '../../../../0-contracts/src/index.js'
import { createPathGate, DiskFiles } from '../../../../2-files/src/index.js'
import { openWorkCopy } from '../../../src/agent/delegate/work-copy.js'

/** A program: copies the tree it reads the path of, and prints the copy's names and notes as JSON. */
const root = await text(process.stdin)
const call = { gate: createPathGate({ root, allow: [] }), files: new DiskFiles(), signal: new AbortController().signal }
const copy = await openWorkCopy(root, call as unknown as DelegateCall, {})
process.stdout.write(JSON.stringify({ names: [...copy.files.keys()].sort(), notes: copy.notes }))
await copy.remove()
