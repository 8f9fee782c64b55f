'use client'

import { type KeyboardEvent, type RefObject, useEffect } from 'react'
import { keysOf } from '@/components/actions/action'
import { articleKeys, type OnArticle } from '@/components/actions/on-chat'
import { allArticles, articleOf, focusArticle } from '@/components/app/articles'
import { keyName } from '@/components/app/use-keys'

/** Elements with keys of their own. */
const busy = 'input, textarea, select, [role="menu"], [role="listbox"], [role="dialog"], form'

/**
 * The keys of the messages of a thread: each is one stop of Tab, its actions are reached by arrows.
 *
 * @param onWrite to the box where the next message is written
 */
export function useArticleKeys(scroller: RefObject<HTMLElement | null>, onWrite: () => void) {
  return (event: KeyboardEvent) => {
    const { target } = event
    // a tooltip that Escape closes as well keeps nothing from it
    if (!(target instanceof HTMLElement) || target.closest(busy)) return
    const article = articleOf(target)
    if (!article) return
    // an element that scrolls by arrows keeps them
    if (target.matches('pre[tabindex]') && event.key.startsWith('Arrow')) return
    const press = keysOf(articleKeys, onArticle(article, target, scroller.current, onWrite))[keyName(event)]
    if (press && press(event.nativeEvent) !== false) event.preventDefault()
  }
}

/** When the message that has the focus goes, with its branch or for another reply, the last one takes it. */
export function useArticleFocus(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const within = scroller.current
    if (!within) return
    let held: Element | null = null
    // a message leaves with a render of the thread, or of the columns in it
    const watch = new MutationObserver(() => {
      if (!held || held.isConnected) return
      held = null
      if (document.activeElement === document.body) focusArticle(allArticles(within).at(-1))
    })
    watch.observe(within, { childList: true, subtree: true })
    const onFocus = ({ target }: FocusEvent) => {
      held = target instanceof Element ? target : null
    }
    const onBlur = ({ relatedTarget }: FocusEvent) => {
      // a removed message gives the focus to no element
      if (relatedTarget !== null) held = null
    }
    within.addEventListener('focusin', onFocus)
    within.addEventListener('focusout', onBlur)
    return () => {
      watch.disconnect()
      within.removeEventListener('focusin', onFocus)
      within.removeEventListener('focusout', onBlur)
    }
  }, [scroller])
}

function onArticle(
  article: HTMLElement,
  focused: HTMLElement,
  scroller: HTMLElement | null,
  write: () => void,
): OnArticle {
  const all = scroller ? allArticles(scroller) : []
  const beside = (by: 1 | -1) => all[all.indexOf(article) + by]
  return {
    isInside: focused !== article,
    canStep(by) {
      if (!beside(by) || !scroller) return false
      const [own, room] = [article.getBoundingClientRect(), scroller.getBoundingClientRect()]
      return by > 0 ? own.bottom <= room.bottom + 1 : own.top >= room.top - 1
    },
    step: (by) => focusArticle(beside(by)),
    turn(by) {
      const buttons = buttonsOf(article)
      const at = buttons.indexOf(focused)
      const next = at < 0 && by < 0 ? -1 : (at + by) % Math.max(1, buttons.length)
      buttons.at(next)?.focus()
    },
    leave: () => article.focus({ preventScroll: true }),
    write,
  }
}

/** The buttons, folds and links of a message: its actions first, then its content. */
function buttonsOf(article: HTMLElement): HTMLElement[] {
  const all = [...article.querySelectorAll<HTMLElement>('button:not(:disabled), a[href], summary')]
  const isAction = (button: HTMLElement) => button.closest('[data-message-actions]') !== null
  return [...all.filter(isAction), ...all.filter((button) => !isAction(button))]
}
