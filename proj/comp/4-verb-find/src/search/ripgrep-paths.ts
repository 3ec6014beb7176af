import { join } from 'node:path'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { approveIfAllowed } from '../../../2-files/src/index.js'
import type { SearchedFile, SearchRequest } from './search-request.js'

/** What the paths that ripgrep writes stand for. */
export class RipgrepPaths {
  readonly #request: SearchRequest
  readonly #prefix: string
  readonly #context: VerbContext

  /** @param prefix what ripgrep writes before the path below the start */
  constructor(request: SearchRequest, prefix: string, context: VerbContext) {
    this.#request = request
    this.#prefix = prefix
    this.#context = context
  }

  /** Below the start; `undefined` for what is not below it. */
  relative(path: string): string | undefined {
    if (this.#request.isFile) return path === this.#prefix ? '' : undefined
    return path.startsWith(this.#prefix) ? path.slice(this.#prefix.length) : undefined
  }

  approve(relative: string): ApprovedPath | undefined {
    const { start, isFile } = this.#request
    return isFile ? start : approveIfAllowed(this.#context.gate, join(start, relative), 'read')
  }

  /** A file that the request is about and the gate lets through. */
  accept(relative: string): SearchedFile | undefined {
    if (!this.#request.isFile && !this.#request.includes(relative)) return undefined
    const path = this.approve(relative)
    return path && { path, relative }
  }
}
