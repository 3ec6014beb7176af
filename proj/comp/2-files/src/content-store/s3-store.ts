import { setTimeout as sleep } from 'node:timers/promises'
import type { AwsClient } from 'aws4fetch'
import { HermesError } from '../../../0-contracts/src/index.js'
import { contentAddress, contentPath } from './content-address.js'
import { checked, missing, MOST_BYTES, requireSize, type ContentStore } from './content-store.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Retries: the client's for failures of the server (5xx, 429), and the same number here for those of the network. */
const RETRIES = 5
const FIRST_WAIT_MS = 100
const MOST_MS = 5 * 60 * 1000

/** A store in a bucket of S3 or a compatible service. */
export class S3Store implements ContentStore {
  private constructor(private readonly client: AwsClient, private readonly base: string, readonly name: string) {}

  /** @throws HermesError `INVALID_OPTION` where the environment lacks credentials or region */
  static async open(bucket: string, prefix: string, env: Environment): Promise<S3Store> {
    const {
      AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken,
    } = env
    const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1'
    if (!accessKeyId || !secretAccessKey) {
      throw new HermesError('INVALID_OPTION', `There are no credentials for s3://${bucket}`, {
        hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN); profiles are not read.',
      })
    }
    const { AwsClient } = await import('aws4fetch')
    const client = new AwsClient({
      accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }), service: 's3', region, retries: RETRIES,
      initRetryMs: FIRST_WAIT_MS,
    })
    const end = prefix === '' ? '' : `${prefix.split('/').map(encodeURIComponent).join('/')}/`
    const name = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`
    return new S3Store(client, `${baseOf(bucket, region, env)}/${end}`, name)
  }

  async put(content: Uint8Array): Promise<string> {
    requireSize(content.length, 'A file')
    const address = contentAddress(content)
    const there = await this.#ask('HEAD', address)
    if (there.ok && Number(there.headers.get('content-length')) === content.length) return address
    if (!there.ok && there.status !== 404) throw await this.#refused('HEAD', there)
    const answer = await this.#ask('PUT', address, content)
    if (!answer.ok) throw await this.#refused('PUT', answer)
    await answer.arrayBuffer()
    return address
  }

  async get(address: string, most = MOST_BYTES): Promise<Buffer> {
    for (let left = RETRIES, wait = FIRST_WAIT_MS; ; left--, wait *= 2) {
      const answer = await this.#ask('GET', address)
      if (answer.status === 404) {
        const text = await answer.text()
        if (text.includes('NoSuchBucket')) throw unreachable(this.name, 'there is no such bucket')
        throw missing(address, this.name)
      }
      if (!answer.ok) throw await this.#refused('GET', answer)
      requireSize(Number(answer.headers.get('content-length') ?? 0), address, most)
      try {
        return checked(await wholeBody(answer, address, most), address, this.name)
      } catch (error) {
        // The connection was lost in the middle of the content.
        if (!(error instanceof TypeError) || left === 0) throw error
        await sleep(wait)
      }
    }
  }

  async #ask(method: 'GET' | 'HEAD' | 'PUT', address: string, body?: Uint8Array): Promise<Response> {
    for (let left = RETRIES, wait = FIRST_WAIT_MS; ; left--, wait *= 2) {
      try {
        return await this.client.fetch(`${this.base}${contentPath(address)}`, {
          method, signal: AbortSignal.timeout(MOST_MS), ...(body && { body: new Uint8Array(body) }),
        })
      } catch (error) {
        const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
        if (!isTimeout && !(error instanceof TypeError)) throw error
        if (left === 0 || isTimeout) throw unreachable(this.name, reasonOf(error), error)
        await sleep(wait)
      }
    }
  }

  async #refused(method: string, answer: Response): Promise<HermesError> {
    const said = /<Code>(\w{1,64})<\/Code>/.exec((await answer.text()).slice(0, 4096))?.[1]
    const why = said ?? (answer.status === 403 ? 'AccessDenied' : 'no reason given')
    return unreachable(this.name, `${method}: ${answer.status} ${why}`)
  }
}

async function wholeBody(answer: Response, address: string, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length
    requireSize(size, address, most)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Base URL: a custom endpoint has the bucket in its path, Amazon's in the host name. */
function baseOf(bucket: string, region: string, env: Environment): string {
  const own = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL']
  if (own === undefined || own === '') {
    // Amazon's certificate for *.s3… does not cover a further dot.
    return bucket.includes('.') ? `https://s3.${region}.amazonaws.com/${bucket}`
      : `https://${bucket}.s3.${region}.amazonaws.com`
  }
  if (!/^https?:\/\//.test(own) || !URL.canParse(own)) {
    throw new HermesError('INVALID_OPTION', 'AWS_ENDPOINT_URL is no '
      + 'address of a server', { hint: 'Write https://host:port.' })
  }
  return `${own.replace(/\/+$/, '')}/${bucket}`
}

function reasonOf(error: Error): string {
  const { cause } = error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return error.name === 'TimeoutError' ? 'no answer' : 'no connection'
}

function unreachable(name: string, why: string, cause?: unknown): HermesError {
  return new HermesError('UNREACHABLE', `The store ${name} cannot be used (${why})`, {
    hint: 'Look at AWS_ENDPOINT_URL, AWS_REGION and the credentials, and whether the bucket is there.', cause,
  })
}
