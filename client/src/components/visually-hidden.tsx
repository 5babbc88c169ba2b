/** Text for screen readers only: Mantine's VisuallyHidden with its style sheet. */
import '@mantine/core/styles/VisuallyHidden.css';

export { VisuallyHidden } from '@mantine/core';
