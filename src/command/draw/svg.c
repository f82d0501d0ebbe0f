/* SPDX-License-Identifier: BSD-3-Clause */
/* svg.c - see svg.h. */
#include "command/draw/svg.h"

#include "command/base/encode.h"

void svg_begin(FILE *out, double width, double height, double mm, const char *title)
{
	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%.4g%s\" "
		"height=\"%.4g%s\" viewBox=\"0 0 %.0f %.0f\" "
		"font-family=\"Helvetica, Arial, sans-serif\" fill=\"black\">\n<title>",
		mm > 0 ? mm : width, mm > 0 ? "mm" : "", mm > 0 ? mm * height / width : height,
		mm > 0 ? "mm" : "", width, height);
	put_xml(out, title);
	fprintf(out, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
}

void svg_metadata(FILE *out, const char *text)
{
	fputs("<metadata>", out);
	put_xml(out, text);
	fputs("</metadata>\n", out);
}

void svg_finish(FILE *out)
{
	fputs("</svg>\n", out);
}

static void put_text(FILE *out, struct svg_point at, const char *attributes, enum svg_anchor anchor,
		     double size, const char *text)
{
	static const char *const anchors[] = {"start", "middle", "end"};

	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" text-anchor=\"%s\"%s>", at.x,
		at.y, size, anchors[anchor], attributes);
	put_xml(out, text);
	fputs("</text>\n", out);
}

void svg_text(FILE *out, struct svg_point at, enum svg_anchor anchor, double size, const char *text)
{
	put_text(out, at, "", anchor, size, text);
}

void svg_bold(FILE *out, struct svg_point at, enum svg_anchor anchor, double size, const char *text)
{
	put_text(out, at, " font-weight=\"bold\"", anchor, size, text);
}

void svg_upwards(FILE *out, struct svg_point at, double size, const char *text)
{
	fprintf(out,
		"<text font-size=\"%g\" text-anchor=\"middle\" transform=\"translate(%.1f,%.1f) "
		"rotate(-90)\">",
		size, at.x, at.y);
	put_xml(out, text);
	fputs("</text>\n", out);
}

void svg_rect(FILE *out, struct svg_box b, const char *colour)
{
	fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
		b.x, b.y, b.width, b.height, colour);
}

void svg_frame(FILE *out, struct svg_box b)
{
	fprintf(out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
		"stroke=\"black\"/>\n",
		b.x, b.y, b.width, b.height);
}

void svg_line(FILE *out, struct svg_point from, struct svg_point to, const char *colour,
	      double width)
{
	fprintf(out,
		"<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"%g\" "
		"fill=\"none\"/>\n",
		from.x, from.y, to.x, to.y, colour, width);
}

void svg_begin_curve(FILE *out, const char *colour, const char *dashes)
{
	fprintf(out,
		"<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" "
		"stroke-linejoin=\"round\"",
		colour);
	if (*dashes)
		fprintf(out, " stroke-dasharray=\"%s\"", dashes);
	fputs(" d=\"", out);
}

void svg_point_to(FILE *out, struct svg_point to, int begins)
{
	fprintf(out, "%c%.1f %.1f", begins ? 'M' : 'L', to.x, to.y);
}

void svg_end_curve(FILE *out, const char *name)
{
	fputs("\"><title>", out);
	put_xml(out, name);
	fputs("</title></path>\n", out);
}

void svg_begin_area(FILE *out, const char *colour)
{
	fprintf(out, "<path fill=\"%s\" shape-rendering=\"crispEdges\" d=\"", colour);
}

void svg_add_rect(FILE *out, struct svg_box b)
{
	fprintf(out, "M%.2f %.2fh%.2fv%.2fh-%.2fz", b.x, b.y, b.width, b.height, b.width);
}

void svg_end_area(FILE *out)
{
	fputs("\"/>\n", out);
}
