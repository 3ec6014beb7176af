import { useEffect, useRef } from 'preact/hooks'

/** A text that was to be copied. */
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

/** A text, selected, for the user to copy where the page may not. @param what it is called */
export function TextToCopy({ copied, what }: { copied: Copied; what: string }) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    field.current?.select()
    // The bars at the top and, on a phone, below cover what is only just in view.
    field.current?.scrollIntoView({ block: 'center' })
  }, [copied])
  return <div class="notice edit">
    <label for="to-copy">{`The browser does not let the page copy. Copy ${what} yourself, by Ctrl+C or ⌘C:`}</label>
    <textarea id="to-copy" ref={field} value={copied.text} readOnly spellcheck={false} rows={12} />
  </div>
}
