// Pictures are compared by the browser that made them. A channel may differ by a little: edges of letters are not drawn alike twice.
(() => {
  const ALIKE = 16;
  const LARGEST = 64e6;
  const load = async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    return image;
  };
  const pixels = (image, width, height) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return { canvas, context, data: context.getImageData(0, 0, width, height) };
  };
  const far = (a, b, at) => {
    for (let channel = 0; channel < 4; channel++) if (Math.abs(a[at + channel] - b[at + channel]) > ALIKE) return true;
    return false;
  };
  return {
    async difference(expected, actual) {
      const [before, after] = [await load(expected), await load(actual)];
      const width = Math.max(before.width, after.width);
      const height = Math.max(before.height, after.height);
      if (width * height > LARGEST) throw new Error("the pictures are too large");
      const [a, b] = [pixels(before, width, height), pixels(after, width, height)];
      const [one, two] = [a.data.data, b.data.data];
      let count = 0;
      for (let at = 0; at < one.length; at += 4) {
        if (far(one, two, at)) {
          count++;
          [two[at], two[at + 1], two[at + 2], two[at + 3]] = [255, 0, 0, 255];
        } else {
          const grey = 200 + (two[at] + two[at + 1] + two[at + 2]) / 15;
          [two[at], two[at + 1], two[at + 2], two[at + 3]] = [grey, grey, grey, 255];
        }
      }
      b.context.putImageData(b.data, 0, 0);
      return {
        share: count / (width * height),
        same_size: before.width === after.width && before.height === after.height,
        picture: b.canvas.toDataURL("image/png").split(",")[1],
      };
    },
    async oneColour(data) {
      const image = await load(data);
      const all = pixels(image, image.width, image.height).data.data;
      for (let at = 4; at < all.length; at += 4) {
        for (let channel = 0; channel < 4; channel++) if (all[at + channel] !== all[channel]) return false;
      }
      return true;
    },
  };
})()
