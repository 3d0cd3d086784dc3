import { getTreeExpandedState, Tree, type TreeNodeData, useTree, VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useMemo } from 'react'

import type { FileChange } from '#contract/changes.ts'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import classes from './ChangedFiles.module.css'
import { type FileNode, fileTree } from './file-tree.ts'

/** How a run changed a file; null if it did not. `of` names the run where two are shown. */
type Mark = { of: string; change: FileChange | null }

type TreeFile = { path: string; marks: readonly Mark[]; about: string }

type Props = { label: string; files: readonly TreeFile[]; chosen: string; onChoose: (path: string) => void }

/** Larger trees open closed: each row costs time. */
const maxOpenFiles = 200

const letters: Record<FileChange, string> = { added: 'A', changed: 'M', deleted: 'D', unchanged: '=' }

/** The changed files as a tree. The arrow keys move in it; Enter and Space choose a file. */
export function ChangedFiles({ label, files, chosen, onChoose }: Props) {
  const data = useMemo(() => fileTree(files).map(toTreeNode), [files])
  const byPath = useMemo(() => new Map(files.map((file) => [file.path, file])), [files])
  const tree = useTree({
    initialExpandedState: getTreeExpandedState(data, files.length <= maxOpenFiles ? '*' : foldersOf(chosen)),
    selectedState: [chosen],
    onSelectedStateChange: ([path]) => {
      if (path !== undefined && byPath.has(path)) onChoose(path)
    },
  })
  return (
    <ScrollRegion label={label} className={classes.files}>
      <Tree
        aria-label="Changed files"
        className={classes.tree}
        data={data}
        tree={tree}
        levelOffset={14}
        selectOnClick
        allowRangeSelection={false}
        renderNode={({ node, expanded, hasChildren, elementProps }) => {
          const file = hasChildren ? undefined : byPath.get(node.value)
          return (
            <div {...elementProps} className={`${elementProps.className} ${classes.row}`}>
              {hasChildren ? (
                <IconChevronRight size={14} aria-hidden className={classes.chevron} data-open={expanded || undefined} />
              ) : (
                <span className={classes.marks}>
                  {file?.marks.map((mark) => (
                    <ChangeMark key={mark.of} {...mark} />
                  ))}
                </span>
              )}
              <span className={classes.name} title={node.value}>
                {node.label}
              </span>
              {file && <span className={classes.about}>{file.about}</span>}
            </div>
          )
        }}
      />
    </ScrollRegion>
  )
}

/** The letter that git uses, and words for those who do not see it. */
function ChangeMark({ of, change }: Mark) {
  const words = [of, change ?? 'not changed'].filter(Boolean).join(': ')
  return (
    <span className={classes.mark} data-change={change ?? undefined} title={words}>
      <span aria-hidden>{change ? letters[change] : '·'}</span>
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}

const toTreeNode = (node: FileNode<TreeFile>): TreeNodeData =>
  'children' in node
    ? { value: node.path, label: node.name, children: node.children.map(toTreeNode) }
    : { value: node.path, label: node.name }

const foldersOf = (path: string) => path.split('/').map((_, depth, parts) => `${parts.slice(0, depth).join('/')}/`)
