import { EditorView } from '@codemirror/view'

type Accept = (files: readonly File[], view: EditorView, at: number) => void

/** Takes pasted and dropped images. Everything else is left to the editor. */
export const acceptImages = (accept: Accept) =>
  EditorView.domEventHandlers({
    paste: ({ clipboardData }, view) => {
      // Spreadsheets copy a picture beside the text that people mean.
      const isText = clipboardData?.getData('text/plain') && clipboardData.getData('text/html')
      return !isText && take(clipboardData, (files) => accept(files, view, view.state.selection.main.head))
    },
    drop: ({ clientX: x, clientY: y, dataTransfer }, view) =>
      take(dataTransfer, (files) => accept(files, view, view.posAtCoords({ x, y }) ?? view.state.doc.length)),
  })

function take(data: DataTransfer | null, accept: (files: readonly File[]) => void) {
  const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
  if (files.length > 0) accept(files)
  return files.length > 0
}
