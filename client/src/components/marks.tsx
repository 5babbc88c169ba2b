import classes from './marks.module.css';

export type Shape = 'circle' | 'square' | 'triangle' | 'diamond' | 'rectangle' | 'cross' | 'bar';

const PATHS: Record<Shape, string> = {
  circle: 'M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z',
  square: 'M4 4h12v12H4z',
  triangle: 'M10 3.5 17 16H3z',
  diamond: 'm10 2.5 7.5 7.5-7.5 7.5L2.5 10z',
  rectangle: 'M2 5h16v10H2z',
  cross: 'm4.5 4.5 11 11m0-11-11 11',
  bar: 'M4 10h12',
};

interface MarkProps {
  shape: Shape;
  filled?: boolean;
  size?: number;
}

/** Shape that repeats a colour's meaning for readers who cannot see it. In the text's colour; hidden from screen readers. */
export function Mark({ shape, filled = false, size = 20 }: MarkProps) {
  return (
    <svg
      className={classes.mark}
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={1.75}
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[shape]} />
    </svg>
  );
}
