import { isAbsolute } from 'node:path'
import * as v from 'valibot'
import type { ExtensionRequests, InitializeResult, UiMethod } from '../kit/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { VERBS_OF_AN_EXTENSION } from './verb-schemas.js'

/** Longest text shown to a user, in UTF-16 units. */
const MOST_WORDS = 10_000
const MOST_HTML = 4 * 2 ** 20
const MOST_ENTRIES = 1000

const words = v.pipe(v.string(), v.maxLength(MOST_WORDS))
const place = v.pipe(v.string(), v.maxLength(4096), v.check(text => !text.includes('\0'), 'A path cannot hold a NUL'))
/** Names to be shown must not have characters that a terminal interprets or reorders. */
const shownPlace = v.pipe(
  place, v.check(text => escapeControls(text) === text, 'A path cannot hold control characters'),
)
const wholePath = v.pipe(place, v.minLength(1))
const title = v.optional(words)
const revision = v.optional(v.pipe(v.number(), v.safeInteger()))
const filters = v.optional(v.pipe(
  v.array(v.object({ name: words, extensions: v.pipe(v.array(words), v.maxLength(MOST_ENTRIES)) })),
  v.maxLength(MOST_ENTRIES),
))
const openFile = v.object({ title, defaultPath: v.optional(shownPlace), filters })
const absolutePath = v.pipe(wholePath, v.check(text => isAbsolute(text), 'Write an absolute path'))
const pathResult = v.object({ path: v.nullable(absolutePath) })

type ParamsSchemas = {
  [Method in keyof ExtensionRequests]: v.GenericSchema<unknown, ExtensionRequests[Method]['params']>
}
type ResultSchemas = { [Method in UiMethod]: v.GenericSchema<unknown, ExtensionRequests[Method]['result']> }

/** Schemas of the requests' params; unknown fields are ignored, so that extensions for other hosts work. */
export const PARAMS: ParamsSchemas = {
  'editor/getMessage': v.object({ format: v.optional(v.picklist(['text', 'json'])) }),
  'editor/patchMessage': v.object({
    patches: v.pipe(
      v.array(v.object({ path: wholePath, value: v.optional(v.unknown()), remove: v.optional(v.boolean()) })),
      v.maxLength(MOST_ENTRIES),
    ),
    revision,
  }),
  'editor/setMessage': v.object({ message: v.string(), format: v.optional(v.literal('text')), revision }),
  'ui/openWindow': v.pipe(
    v.object({
      url: v.optional(words),
      html: v.optional(v.pipe(v.string(), v.maxLength(MOST_HTML))),
      title,
    }),
    v.check(({ url, html }) => (url === undefined) !== (html === undefined), 'Give either url or html'),
  ),
  'ui/closeWindow': v.object({ windowId: words }),
  'ui/showMessage': v.object({ message: words, title, kind: v.optional(v.picklist(['info', 'warning', 'error'])) }),
  'ui/showConfirm': v.object({ message: words, title, buttons: v.optional(v.picklist(['yesNo', 'okCancel'])) }),
  'ui/openFile': openFile,
  'ui/openFiles': openFile,
  'ui/saveFile': v.object({ ...openFile.entries, defaultName: v.optional(shownPlace) }),
  'ui/selectDirectory': v.object({ title, defaultPath: v.optional(shownPlace) }),
}

/** Schemas of answers of the user's side, which may be another program or a file. */
export const RESULTS: ResultSchemas = {
  'ui/openWindow': v.object({ windowId: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) }),
  'ui/closeWindow': v.object({ success: v.boolean() }),
  'ui/showMessage': v.object({ acknowledged: v.literal(true) }),
  'ui/showConfirm': v.object({ confirmed: v.boolean() }),
  'ui/openFile': pathResult,
  'ui/openFiles': v.object({ paths: v.nullable(v.pipe(v.array(absolutePath), v.maxLength(10_000))) }),
  'ui/saveFile': pathResult,
  'ui/selectDirectory': pathResult,
}

const name = v.optional(v.pipe(v.string(), v.maxLength(200)))

/** Schema of an extension's `initialize` answer; `{}` and `null` are valid. */
export const INTRODUCTION: v.GenericSchema<unknown, InitializeResult> = v.pipe(
  v.nullish(v.object({
    name, version: name, description: v.optional(words),
    capabilities: v.optional(v.object({
      commands: v.optional(
        v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(200))), v.maxLength(MOST_ENTRIES)),
      ),
      commandFinished: v.optional(v.boolean()),
      verbs: v.optional(VERBS_OF_AN_EXTENSION),
    })),
  }), {}),
  v.transform(given => given ?? {}),
)

export const FINISHED = v.object({
  executionId: v.number(), success: v.optional(v.boolean()), message: v.optional(words),
})

/** The first problem, on one line. */
export function firstProblem([issue]: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  const path = v.getDotPath(issue)
  return path === null ? issue.message : `${path}: ${issue.message}`
}
