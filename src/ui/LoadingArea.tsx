import { Skeleton, VisuallyHidden } from '@mantine/core'

import classes from './LoadingArea.module.css'

/** A placeholder of a part of a page that loads. Screen readers read what it waits for. */
export const LoadingArea = ({ label, height }: { label: string; height: number }) => (
  <output className={classes.area}>
    <VisuallyHidden>{label}</VisuallyHidden>
    <Skeleton height={height} />
  </output>
)
