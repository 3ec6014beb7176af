/** How the answers of one interface are read. */
export interface AnswerReader {
  /** One event of a stream. @throws ServerError where the server tells of a failure in it */
  readEvent(event: unknown): void
  /** An answer that came at once. @throws BrokenAnswer where it is none; ServerError as above */
  readWhole(body: unknown): void
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The index that an event gives, else the place it has among others. */
export function indexOf(value: unknown, place = 0): number {
  return Number.isInteger(value) ? value as number : place
}
