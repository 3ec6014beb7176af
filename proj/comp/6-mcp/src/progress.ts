import type { ServerContext } from '@modelcontextprotocol/server'
import { clip, escapeControls } from '../../0-text/src/index.js'

export type Progress = (done: number, total: number, message: string) => void

/** Tells the client how far a call is, where it wants to know. */
export function progressOf({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => undefined
  return (progress, total, message) => {
    const params = { progressToken, progress, total, message: escapeControls(clip(message, 200)) }
    // A client that has gone hears nothing more.
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}
