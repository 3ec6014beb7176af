import { useEffect, useState } from 'preact/hooks'

type Theme = 'system' | 'light' | 'dark'
const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const WORDS: Readonly<Record<Theme, string>> = { system: 'Auto', light: 'Light', dark: 'Dark' }
const KEPT = 'hermes-colours'

/** Light, dark, or as the system has it; kept where the browser lets a page keep something. */
export function useTheme(): { words: string; change: () => void } {
  const [theme, setTheme] = useState<Theme>(kept)
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    try {
      localStorage.setItem(KEPT, theme)
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
    }
  }, [theme])
  return { words: WORDS[theme], change: () => setTheme(NEXT[theme]) }
}

function kept(): Theme {
  try {
    const name = localStorage.getItem(KEPT)
    return name === 'light' || name === 'dark' ? name : 'system'
  } catch (error) {
    if (error instanceof DOMException) return 'system'
    throw error
  }
}
