import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const look = EditorView.theme({
  '&': { height: '100%' },
  '.cm-content': { padding: '12px 16px', minHeight: '320px' },
  '.cm-pinned-value': { color: 'var(--text-muted)', fontStyle: 'italic' },
})

const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent-text)' },
  { tag: tags.monospace, color: 'var(--text-muted)' },
  { tag: [tags.processingInstruction, tags.quote, tags.labelName], color: 'var(--text-muted)' },
])

/** Markdown as text with its structure visible, in the page's own palette. */
export const markdownTheme = [look, syntaxHighlighting(colours)]
