/**
 * Gives jsdom the geometry of SVG that the drawing kit of diagrams asks for. Nothing is laid out:
 * every box is the same and transformations are only kept, so positions cannot be tested with it.
 */
class Matrix {
  a = 1;
  b = 0;
  c = 0;
  d = 1;
  e = 0;
  f = 0;
  translate(x: number, y: number): Matrix {
    return Object.assign(new Matrix(), this, { e: this.e + x, f: this.f + y });
  }
  scale(by: number): Matrix {
    return Object.assign(new Matrix(), this, { a: this.a * by, d: this.d * by });
  }
  multiply(): Matrix {
    return this;
  }
  inverse(): Matrix {
    return this;
  }
}

class Transforms {
  private item: { matrix: Matrix } | null = null;
  get numberOfItems(): number {
    return this.item ? 1 : 0;
  }
  consolidate() {
    return this.item;
  }
  clear() {
    this.item = null;
  }
  appendItem(item: { matrix: Matrix }) {
    this.item = item;
  }
}

const kept = new WeakMap<object, Transforms>();

/** Call it before the first diagram of a test file is drawn. */
export function fakeSvgGeometry(): void {
  Object.assign(globalThis, { SVGMatrix: Matrix });
  globalThis.CSS ??= { escape: (text: string) => text.replace(/[^\w-]/g, "\\$&") } as typeof CSS;
  const box = () => ({ x: 0, y: 0, width: 100, height: 80 });
  const transformOf = (matrix = new Matrix()) => ({
    matrix,
    setTranslate(x: number, y: number) {
      this.matrix = matrix.translate(x, y);
    },
    setScale(by: number) {
      this.matrix = matrix.scale(by);
    },
    setRotate() {},
  });
  Object.assign(SVGElement.prototype, {
    getBBox: box,
    getScreenCTM: () => new Matrix(),
    getCTM: () => new Matrix(),
    getComputedTextLength: () => 10,
    getTotalLength: () => 100,
    getPointAtLength: (at: number) => ({ x: at, y: 0 }),
    createSVGMatrix: () => new Matrix(),
    createSVGPoint: () => ({ x: 0, y: 0, matrixTransform: () => ({ x: 0, y: 0 }) }),
    createSVGTransform: () => transformOf(),
    createSVGTransformFromMatrix: transformOf,
  });
  Object.defineProperty(SVGElement.prototype, "transform", {
    configurable: true,
    get() {
      const list = kept.get(this) ?? new Transforms();
      kept.set(this, list);
      return {
        baseVal: Object.assign(list, {
          createSVGTransformFromMatrix: transformOf,
        }),
      };
    },
  });
}
