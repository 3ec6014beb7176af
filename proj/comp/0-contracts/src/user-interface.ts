/** A question to the user (core tool `ask_user`). */
export interface UserQuestion {
  question: string
  /** What may be answered; any text when absent. */
  options?: readonly string[]
  /** The answer to an empty reply. */
  defaultOption?: string
}

/** Something the user has to agree to (core tool `confirm_action`). */
export interface ConfirmationRequest {
  description: string
  /** It cannot be taken back: the answer to an empty reply is no. */
  destructive: boolean
}

/** The port through which verbs talk to the user: a terminal, a remote client, or programmed answers. */
export interface UserInterface {
  /**
   * @returns the answer; one of `options` where there are any.
   * @throws HermesError `CANCELLED` once `signal` is aborted
   */
  ask(question: UserQuestion, signal: AbortSignal): Promise<string>
  /** @throws HermesError `CANCELLED` once `signal` is aborted */
  confirm(request: ConfirmationRequest, signal: AbortSignal): Promise<boolean>
}
