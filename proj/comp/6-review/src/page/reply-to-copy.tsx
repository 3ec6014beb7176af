import { useEffect, useRef } from 'preact/hooks'

/** The reply as it was asked for. */
export interface Copied {
  text: string
  isCopied: boolean
}

/** @returns false where the browser does not let the page write to the clipboard */
export async function copyText(text: string): Promise<boolean> {
  // Browsers give one to secure addresses alone.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return false
  try {
    await clipboard.writeText(text)
    return true
  } catch (error) {
    if (error instanceof DOMException) return false
    throw error
  }
}

/** The reply, selected, for the user to copy. */
export function ReplyToCopy({ copied }: { copied: Copied }) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    field.current?.select()
    // The bars at the top and, on a phone, below cover what is only just in view.
    field.current?.scrollIntoView({ block: 'center' })
  }, [copied])
  return <div class="notice edit">
    <label for="reply">The browser does not let the page copy. Copy the reply yourself, by Ctrl+C or ⌘C:</label>
    <textarea id="reply" ref={field} value={copied.text} readOnly spellcheck={false} rows={12} />
  </div>
}
