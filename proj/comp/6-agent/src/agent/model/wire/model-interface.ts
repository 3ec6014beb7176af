import type { ModelApi } from '../../../../../2-config/src/index.js'
import type { AnswerPieces } from './answer-pieces.js'
import type { AnswerReader } from './answer-reader.js'
import type { Asked, Refused, RequestSettings } from './asked.js'
import { chatRequest } from './chat-request.js'
import { ChatReader } from './chat-reader.js'
import { messagesRequest } from './messages-request.js'
import { MessagesReader } from './messages-reader.js'
import { responsesRequest } from './responses-request.js'
import { ResponsesReader } from './responses-reader.js'

/** How to ask one API, and read its answers. */
export interface ModelInterface {
  /** Path below the base URL. */
  readonly place: string
  request(asked: Asked, settings: RequestSettings, refused: Refused): object
  reader(pieces: AnswerPieces): AnswerReader
  /** Which optional field a refusal was about, if the request can be made without it; else `undefined`. */
  wishRefused(message: string): Refused | undefined
}

export const INTERFACES: Readonly<Record<ModelApi, ModelInterface>> = {
  chat: {
    place: 'chat/completions', request: chatRequest, reader: (pieces) => new ChatReader(pieces),
    wishRefused: (message) => (/stream_options|include_usage/.test(message) ? { usage: true } : undefined),
  },
  responses: {
    place: 'responses', request: responsesRequest, reader: (pieces) => new ResponsesReader(pieces),
    wishRefused: (message) => (/encrypted[_ ]content/i.test(message) ? { encrypted: true } : undefined),
  },
  anthropic: {
    place: 'messages', request: messagesRequest, reader: (pieces) => new MessagesReader(pieces),
    wishRefused: (message) => {
      const most = /max_tokens: \d+ > (\d+)/.exec(message)?.[1]
      return most === undefined ? undefined : { longer: Number(most) }
    },
  },
}
