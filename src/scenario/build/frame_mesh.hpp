// The points and members of a frame as nodes and elements.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ricochet/model/frame.hpp"
#include "scenario/build/build_model.hpp"

namespace ricochet {

inline constexpr std::array<std::string_view, 3> frame_values = {"x", "y", "angle"};  // of a node

// [x, y]
std::array<double, 2> frame_pair(const std::vector<Quantity>& row, const Sources& sources, const std::string& field);

class FrameMesh {
 public:
  struct Point {
    std::array<double, 2> place = {};
    int members = 0;  // that meet here
    bool is_hinge = false;
    const FrameSupport* support = nullptr;
    std::string support_field = {};
    std::vector<int> nodes = {};  // one, at a hinge one a member
  };
  struct Named {
    std::string name;  // the one of the coordinate: nodes at points have that of the point
    FrameValue value;
  };

  // Throws InputError with fields that count from the model. Both must stay.
  FrameMesh(const FrameDescription& description, const Sources& sources);

  const Point& find_point(const std::string& name, const std::string& field) const;
  // Whether the support of a point holds its x, y or angle for good; a roller that moves obliquely is a joint.
  bool holds(const Point& point, int k) const;

  // What a support drives: `text` is its formula, `at` where the undeformed frame has it, `size` that of the frame, or
  // 1 for an angle.
  struct Driven {
    std::string field, point, text;
    double at = 0.0, size = 1.0;
    std::function<OffsetMotion(double)> motion = {};
  };

  FrameData data = {};                                 // coordinates, nodes and elements
  std::vector<double> start = {};                      // of the coordinates
  std::vector<std::string> names = {};                 // of the points, in the order of the file
  std::unordered_map<std::string, Named> values = {};  // x, y and angle of points and nodes by name
  std::vector<std::vector<int>> member_nodes = {};
  std::vector<Driven> driven = {};  // the drives of `data`, in their order

 private:
  void read_points();
  Point& point_of(const std::string& name, const std::string& field);
  void count_members();
  void read_hinges();
  void read_supports();
  void check_support(const FrameSupport& support, const Point& point, const std::string& field) const;
  FrameValue new_value(const std::string& name, double value, bool is_held);
  FrameValue value_at(const std::string& point, int k, const std::string& name, bool is_still = false);
  int new_node(const FrameNode& node);
  int node_at(const std::string& name, const std::string& node_name);
  void add_member(std::size_t number);
  FrameElement section_of(const MemberDescription& member, const std::string& field) const;
  void add_free_points();
  void refuse_repeated_names() const;

  const FrameDescription& description_;
  const Sources& sources_;
  std::unordered_map<std::string, Point> points_;
};

}  // namespace ricochet
