import * as v from 'valibot'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import {
  API_VERSION, EXTENSION_ERRORS, FILE_METHODS, type CommandExecuteParams, type ExtensionMethod, type ExtensionRequests,
  type FileMethod, type InitializeParams, type ShutdownParams, type UiMethod, type VerbExecuteParams,
  type WindowMessageParams,
} from '../kit/index.js'
import {
  openRpcDocument, RPC, type DescribedMethod, type Fields, type OpenRpcDocument,
} from '../../../2-wire/src/index.js'
import { FINISHED, INTRODUCTION, PARAMS, RESULTS } from './message-schemas.js'

type Result<Method extends ExtensionMethod> = Fields<ExtensionRequests[Method]['result']>

const text = v.string()
const whole = v.pipe(v.number(), v.integer())

/** Results of the requests that hermes answers itself. */
const EDITOR_RESULTS: { [Method in Exclude<ExtensionMethod, UiMethod>]: v.GenericSchema } = {
  'editor/getMessage': v.object({
    message: text, hasFile: v.boolean(), filePath: v.optional(text), revision: whole,
  } satisfies Result<'editor/getMessage'>),
  'editor/patchMessage': v.object({
    success: v.boolean(), patchesApplied: whole,
    errors: v.optional(v.array(v.object({ index: whole, path: text, code: whole, message: text }))), revision: whole,
  } satisfies Result<'editor/patchMessage'>),
  'editor/setMessage': v.object({
    success: v.literal(true), revision: whole, blocks: whole, parseErrors: whole,
  } satisfies Result<'editor/setMessage'>),
}

const SUMMARIES: Readonly<Record<ExtensionMethod, string>> = {
  'editor/getMessage': 'Reads what is prepared for a run',
  'editor/patchMessage': 'Changes parameters of its blocks',
  'editor/setMessage': 'Puts another text in its place',
  'ui/openWindow': 'Opens a window in the browser, where the user agrees',
  'ui/closeWindow': 'Closes such a window',
  'ui/showMessage': 'Shows the user a message',
  'ui/showConfirm': 'Asks the user yes or no',
  'ui/openFile': 'Lets the user choose a file',
  'ui/openFiles': 'Lets the user choose files',
  'ui/saveFile': 'Lets the user choose where to write a file',
  'ui/selectDirectory': 'Lets the user choose a directory',
}

const TO_HERMES: readonly Omit<DescribedMethod, 'sentBy'>[] = [
  ...(Object.keys(SUMMARIES) as ExtensionMethod[]).map((name) => ({
    name, summary: SUMMARIES[name], params: PARAMS[name], result: { ...EDITOR_RESULTS, ...RESULTS }[name],
  })),
  { name: 'command/finished', summary: 'A command is done', params: FINISHED },
]

const FROM_HERMES: readonly Omit<DescribedMethod, 'sentBy'>[] = [
  {
    name: 'initialize', summary: 'Comes first; to be answered within 10 s',
    params: v.object({ apiVersion: text, root: text } satisfies Fields<InitializeParams>), result: INTRODUCTION,
  },
  {
    name: 'shutdown', summary: 'To be answered, and to end, within 5 s',
    params: v.object({
      reason: v.picklist(['closing', 'interrupted', 'error']),
    } satisfies Fields<ShutdownParams>), result: v.unknown(),
  },
  {
    name: 'command/execute', summary: 'A command is to be carried out',
    params: v.object({ command: text, executionId: whole } satisfies Fields<CommandExecuteParams>),
  },
  {
    name: 'verb/execute', summary: 'Calls a verb that it brings; answered with the result',
    params: v.object({
      verb: text, arguments: v.record(text, v.unknown()), executionId: whole, dryRun: v.boolean(),
    } satisfies Fields<VerbExecuteParams>), result: v.unknown(),
  },
  {
    name: 'ui/windowMessage', summary: 'What a page of ui/openWindow posted',
    params: v.object({ windowId: text, data: v.unknown() } satisfies Fields<WindowMessageParams>),
  },
]

/** The dialogue requests, which are also sent to clients of `hermes serve`. */
export function dialogueMethods(): readonly Omit<DescribedMethod, 'sentBy'>[] {
  return TO_HERMES.filter(({ name }) => name.startsWith('ui/'))
}

/** The verb behind each file request, e.g. `fs.readFile` for `fs/readFile`. */
export type FileVerbs = Readonly<Record<FileMethod, Pick<AnyVerb, 'description' | 'args' | 'result'>>>

/** OpenRPC document of the protocol between hermes and its extensions. */
export function extensionProtocol(verbs: FileVerbs): OpenRpcDocument {
  const ofFiles = FILE_METHODS.map((name) => {
    const { description, args, result } = verbs[name]
    return { name, summary: description, params: v.intersect([v.object({ executionId: whole }), args]), result }
  })
  return openRpcDocument({
    title: 'hermes extensions', version: `${API_VERSION}.0`,
    description: 'JSON-RPC 2.0 with Content-Length framing over standard input and output of the extension '
      + '(hermes help extensions). x-sent-by names the side that sends a method; one without a result is a '
      + 'notification. Fields may be added.',
    methods: [
      ...FROM_HERMES.map((method) => ({ ...method, sentBy: 'hermes' })),
      ...[...TO_HERMES, ...ofFiles].map((method) => ({ ...method, sentBy: 'extension' })),
      {
        name: '$/cancelRequest', summary: 'Cancels a request; it is answered all the same', sentBy: 'both',
        params: v.object({ id: v.union([v.number(), text]) }),
      },
    ],
    schemas: {}, errors: { ...RPC, ...EXTENSION_ERRORS },
  })
}
