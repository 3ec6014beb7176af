/** What a session asks before something that needs consent. */
export interface ApprovalRequest {
  /** The verb. */
  action: string
  /** What it would do, and why that needs consent; one line. */
  reason: string
}
export type ApprovalAnswer = 'once' | 'session' | 'always' | 'deny'

/** What a verb learns of it; `unavailable`: there is nobody to ask. */
export type Consent = 'granted' | 'denied' | 'unavailable'
